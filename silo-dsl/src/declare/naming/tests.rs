use super::*;
use proptest::prelude::*;
use silo_runtime::ids::EntityId;

fn crm() -> Naming {
    Naming { style: NameStyle::CamelCase, references: Some("Id".into()) }
}

fn reference() -> Type {
    Type::Entity(EntityId(0))
}

#[test]
fn names_are_converted_word_by_word() {
    for (name, camel, pascal, snake, kebab) in [
        ("stage_entered", "stageEntered", "StageEntered", "stage_entered", "stage-entered"),
        ("name", "name", "Name", "name", "name"),
        ("a_b_c", "aBC", "ABC", "a_b_c", "a-b-c"),
        ("line_2", "line2", "Line2", "line_2", "line-2"),
        ("stageEntered", "stageEntered", "StageEntered", "stage_entered", "stage-entered"),
        ("trailing_", "trailing", "Trailing", "trailing", "trailing"),
    ] {
        assert_eq!(NameStyle::CamelCase.convert(name), camel);
        assert_eq!(NameStyle::PascalCase.convert(name), pascal);
        assert_eq!(NameStyle::SnakeCase.convert(name), snake);
        assert_eq!(NameStyle::KebabCase.convert(name), kebab);
        assert_eq!(NameStyle::AsWritten.convert(name), name);
    }
}

#[test]
fn references_get_the_suffix() {
    assert_eq!(&*crm().wire("owner", &reference()), "ownerId");
    assert_eq!(&*crm().wire("new_owner", &reference().optional()), "newOwnerId");
    assert_eq!(&*crm().wire("goods_receipts", &reference().list()), "goodsReceiptIds");
    assert_eq!(&*crm().wire("companies", &reference().list()), "companyIds");
    assert_eq!(&*crm().wire("staff", &reference().list().optional()), "staffIds");
    assert_eq!(&*crm().wire("owner", &Type::Text), "owner");
    assert_eq!(&*crm().wire("targets", &Type::Text.list()), "targets");
}

#[test]
fn a_suffix_is_never_written_twice() {
    assert_eq!(&*crm().wire("owner_id", &reference()), "ownerId");
    assert_eq!(&*crm().wire("owner_ids", &reference().list()), "ownerIds");
    let snake = Naming { style: NameStyle::SnakeCase, references: Some("_id".into()) };
    assert_eq!(&*snake.wire("owner", &reference()), "owner_id");
    assert_eq!(&*snake.wire("goods_receipts", &reference().list()), "goods_receipt_ids");
}

#[test]
fn without_settings_names_stay() {
    assert_eq!(&*Naming::default().wire("goods_receipts", &reference().list()), "goods_receipts");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn conversion_is_idempotent(name in "[a-z]{2,6}(_[a-z][a-z0-9]{1,6}){0,4}") {
        for (_, style) in NameStyle::WRITTEN {
            let once = style.convert(&name);
            let again = style.convert(&once.replace('-', "_"));
            prop_assert_eq!(&again, &once);
        }
    }

    #[test]
    fn snake_names_survive_the_way_to_camel_case_and_back(name in "[a-z]{2,6}(_[a-z][a-z0-9]{1,6}){0,4}") {
        prop_assert_eq!(NameStyle::SnakeCase.convert(&NameStyle::CamelCase.convert(&name)), name);
    }

    #[test]
    fn converted_names_are_allowed_as_properties(name in "[a-zA-Z][a-zA-Z0-9_]{0,40}") {
        for (_, style) in NameStyle::WRITTEN {
            let wire = style.convert(&name);
            prop_assert!(!wire.is_empty() && wire.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-'));
        }
    }
}
