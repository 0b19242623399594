pub(crate) mod fixture;

mod atomic;
mod keys;
mod limits;
mod seeding;
mod tables;
