//! The tools, as an author writes them.

use crate::world::{AuditEvent, CrmState, Opportunity, Status, User};
use silo_runtime::methods::collection::Page;
use silo_runtime::typed::{Entity, Key};
use silo_runtime::value::json::Json;
use silo_runtime::value::{ToolError, ToolResult};

/// List opportunities, optionally filtered by owner, status or staleness.
pub(crate) fn list_opportunities(
    world: &CrmState,
    owner: Option<&Key<User>>,
    status: Option<Status>,
    stale_only: bool,
    limit: i64,
    offset: i64,
) -> ToolResult<Page<Json>> {
    let now = world.seed.now;
    let page = world
        .opportunities()
        .keep(|o| Ok(owner.is_none_or(|owner| o.owner == *owner) && status.is_none_or(|status| o.status == status)))?
        .keep(|o| Ok(!stale_only || o.stale(now)))?
        .sorted_by(|o| o.id.clone())
        .each(|o| {
            Ok(Json::object([
                ("id", Json::from(&o.id)),
                ("name", Json::from(o.name)),
                ("owner", Json::from(world.users().get(&o.owner)?.name)),
                ("status", Json::from(o.status.as_str())),
                ("daysInStage", Json::from(o.days_in_stage(now))),
            ]))
        })?
        .page(limit, offset);
    Ok(page)
}

/// Move an open opportunity to a different owner, who must be active.
pub(crate) fn reassign_opportunity(
    world: &mut CrmState,
    opportunity: &Key<Opportunity>,
    new_owner: &Key<User>,
    actor: &Key<User>,
) -> ToolResult<Json> {
    let deal = world.opportunities().get(opportunity)?;
    let owner = world.users().get(new_owner)?;
    if deal.status != Status::Open {
        return Err(ToolError::invalid_state(format!("{opportunity} is {}.", deal.status.as_str())));
    }
    if !owner.active {
        return Err(ToolError::not_allowed(format!("{} is no longer active.", owner.name)));
    }
    if deal.owner == *new_owner {
        return Err(ToolError::conflict(format!("{opportunity} is already theirs.")));
    }
    let detail = format!("From {} to {new_owner}.", deal.owner);
    world.opportunities_mut().get_mut(opportunity)?.owner = new_owner.clone();
    world.audit_log_mut().insert(AuditEvent { id: Key::generated(), actor: actor.clone(), detail })?;
    let updated = world.opportunities().get(opportunity)?.to_json();
    Ok(Json::object([("updated", updated)]))
}
