//! A program of the layer `solver`.

#![no_std]
#![no_main]

barrow_bare::program!(barrow_bare::layers::solver::run);
