//! E07xx: seed data.

codes! {
    SYNTAX = "E0701": "the data file does not follow its format"
    VALUE = "E0702": "a value in the data does not fit its declaration"
    DUPLICATE_KEY = "E0703": "two rows have one key"
    DANGLING = "E0704": "a reference to no row"
    COLUMNS = "E0705": "a row has another number of fields than the header"
    OPTION = "E0706": "a data file or an option that is not known"
    POINTER = "E0707": "the data file has no such part"
}
