//! A program of the layer `fen`.

#![no_std]
#![no_main]

barrow_bare::program!(barrow_bare::layers::fen::run);
