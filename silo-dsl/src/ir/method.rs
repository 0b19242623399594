/// The methods of the language. A name that several types share is one member per meaning, not per type: `Count` is that of
/// lists, tables and maps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "each is the method of its name in the language reference")]
pub enum Method {
    // list<T>, table<E>
    Filter,
    Map,
    FlatMap,
    Find,
    First,
    Last,
    MinBy,
    MaxBy,
    FindIndex,
    IndexOf,
    /// `any()`, `any(f)`.
    Any,
    All,
    /// Of lists and tables by value, of maps by key.
    Contains,
    /// `count()`, `count(f)`; of maps too.
    Count,
    /// `sum()`, `sum(f)`; the expression's type says whether of ints or decimals.
    Sum,
    Min,
    Max,
    /// `average()`, `average(f)`.
    Average,
    Sort,
    SortBy,
    GroupBy,
    Take,
    Skip,
    Reverse,
    Distinct,
    Concat,
    Search,
    Page,
    Join,
    ToMap,
    Fold,
    // table, map
    /// `t.get(k)`, `m.get(k)`.
    Get,
    /// `t.keys()`, `m.keys()`.
    Keys,
    Values,
    Entries,
    // table of the final world
    Added,
    Removed,
    Changed,
    // string
    Lower,
    Upper,
    Trim,
    Len,
    ContainsText,
    StartsWith,
    EndsWith,
    Replace,
    Split,
    Slice,
    PadStart,
    Matches,
    ToInt,
    ToDecimal,
    Calculate,
    // int, decimal
    Round,
    /// `round(n)`.
    RoundTo,
    Floor,
    Ceil,
    Abs,
    /// `x.min(n)`.
    NumberMin,
    /// `x.max(n)`.
    NumberMax,
    Clamp,
    // date, datetime
    AddDays,
    AddMonths,
    StartOfMonth,
    EndOfMonth,
    DaysUntil,
    Year,
    Month,
    Day,
    Weekday,
    Format,
    AddMinutes,
    MinutesUntil,
    /// `datetime.date()`.
    DateOf,
    // answer; the receiver is `ExprKind::AnswerText`
    AnswerNumber,
    AnswerNumbers,
    Mentions,
    States,
    Names,
    NamesOnly,
}
