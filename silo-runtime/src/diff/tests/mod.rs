mod changes;
mod coverage;
mod naive;
