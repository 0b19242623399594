//! Typed numbers of the things an environment declares. They index the vectors of [`Model`](crate::model::Model) and
//! [`Manifest`](crate::environment::Manifest) and mean nothing outside their environment.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($number:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub $number);

        impl $name {
            /// The position in the vector that this id numbers.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            /// Saturates: declaring more than the type can number is refused long before.
            fn from(index: usize) -> Self {
                Self(<$number>::try_from(index).unwrap_or(<$number>::MAX))
            }
        }
    )*};
}

ids! {
    /// An enum, in [`Model::enums`](crate::model::Model::enums).
    EnumId(u16);
    /// A record shape, named or anonymous, in [`Model::records`](crate::model::Model::records).
    RecordId(u32);
    /// An entity, in [`Model::entities`](crate::model::Model::entities).
    EntityId(u16);
    /// A field of a record or an entity: the slot of its value.
    FieldId(u16);
    /// A state field, in [`Model::state`](crate::model::Model::state).
    StateId(u16);
    /// A tool, in [`Manifest::tools`](crate::environment::Manifest::tools).
    ToolId(u32);
    /// A task, in [`Manifest::tasks`](crate::environment::Manifest::tasks).
    TaskId(u32);
    /// A rule, in [`Manifest::rules`](crate::environment::Manifest::rules).
    RuleId(u32);
}
