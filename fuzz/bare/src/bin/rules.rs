//! A program of the layer `rules`.

#![no_std]
#![no_main]

barrow_bare::program!(barrow_bare::layers::rules::run);
