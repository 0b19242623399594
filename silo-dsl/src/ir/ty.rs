use silo_runtime::ids::{EntityId, EnumId, FieldId, RecordId};
use silo_runtime::schema::MapKey;
use std::sync::Arc;

/// The type of an expression. Limits (ranges, patterns, lengths) belong to declared places, not to types: a place has a
/// [`Schema`](silo_runtime::schema::Schema) beside its type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// The bottom of all types: an empty list's element before anything else is known, an expression that had an error.
    Never,
    /// The type of `null` alone.
    Null,
    /// `bool`.
    Bool,
    /// `string`.
    Text,
    /// `int`.
    Int,
    /// `decimal`.
    Decimal,
    /// `date`.
    Date,
    /// `datetime`.
    DateTime,
    /// An enum.
    Enum(EnumId),
    /// A record, named or anonymous. Records with the same members are the same type; anonymous shapes are interned.
    Record(RecordId),
    /// A row, or a reference to one.
    Entity(EntityId),
    /// A reference to a row of one of several entities: only `==` and `.key`.
    AnyEntity,
    /// `list<T>`.
    List(Arc<Type>),
    /// `map<T>`, `map<K, T>`.
    Map(MapKey, Arc<Type>),
    /// The rows of a table, in state or nested in a row.
    Table(EntityId),
    /// In a solution: a table as the agent sees it, a list of records that can also be looked up by the member that is the key.
    RecordTable(RecordId, FieldId),
    /// `T?`; never nested.
    Optional(Arc<Type>),
}

impl Type {
    /// `T?`, once.
    #[must_use]
    pub fn optional(self) -> Self {
        match self {
            Self::Optional(_) | Self::Null | Self::Never => self,
            other => Self::Optional(Arc::new(other)),
        }
    }

    /// The type without `?`.
    pub fn required(&self) -> &Self {
        match self {
            Self::Optional(inner) => inner,
            other => other,
        }
    }

    /// Whether null is one of its values.
    pub fn is_optional(&self) -> bool {
        matches!(self, Self::Optional(_) | Self::Null)
    }

    /// A list of these.
    #[must_use]
    pub fn list(self) -> Self {
        Self::List(Arc::new(self))
    }
}
