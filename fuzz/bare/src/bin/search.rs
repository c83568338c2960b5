//! A program of the layer `search`.

#![no_std]
#![no_main]

barrow_bare::program!(barrow_bare::layers::search::run);
