use silo_runtime::ids::{EntityId, EnumId, FieldId, RecordId};
use silo_runtime::schema::{MapKey, Schema, TableWire};
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

    /// The type of the values of a schema. Several shapes of output have none of their own: it is [`Type::Never`].
    pub fn of(schema: &Schema) -> Self {
        match schema {
            Schema::Bool | Schema::True => Self::Bool,
            Schema::String { .. } => Self::Text,
            Schema::Int { .. } => Self::Int,
            Schema::Decimal { .. } => Self::Decimal,
            Schema::Date => Self::Date,
            Schema::DateTime => Self::DateTime,
            Schema::Enum(id) => Self::Enum(*id),
            Schema::Record(id) => Self::Record(*id),
            Schema::Entity(id) => Self::Entity(*id),
            Schema::AnyEntity(_) => Self::AnyEntity,
            Schema::List { item, .. } => Self::of(item).list(),
            Schema::Map { key, value } => Self::Map(*key, Arc::new(Self::of(value))),
            Schema::Table { entity, .. } => Self::Table(*entity),
            Schema::Optional(inner) => Self::of(inner).optional(),
            Schema::AnyOf(_) => Self::Never,
        }
    }

    /// The schema of the values of a type, without limits.
    pub fn schema(&self) -> Schema {
        match self {
            Self::Never | Self::Null => Schema::AnyOf(Vec::new()).optional(),
            Self::Bool => Schema::Bool,
            Self::Text => Schema::TEXT,
            Self::Int => Schema::INT,
            Self::Decimal => Schema::DECIMAL,
            Self::Date => Schema::Date,
            Self::DateTime => Schema::DateTime,
            Self::Enum(id) => Schema::Enum(*id),
            Self::Record(id) => Schema::Record(*id),
            Self::Entity(id) => Schema::Entity(*id),
            Self::AnyEntity => Schema::AnyEntity(Vec::new()),
            Self::List(item) => list_schema(item.schema()),
            Self::Map(key, value) => Schema::Map { key: *key, value: Box::new(value.schema()) },
            Self::Table(entity) => Schema::Table { entity: *entity, wire: TableWire::Array },
            Self::RecordTable(record, _) => list_schema(Schema::Record(*record)),
            Self::Optional(inner) => inner.schema().optional(),
        }
    }
}

fn list_schema(item: Schema) -> Schema {
    Schema::List { item: Box::new(item), min_items: None, max_items: None, unique: false }
}
