//! A program of the layer `umi`.

#![no_std]
#![no_main]

barrow_bare::program!(barrow_bare::layers::umi::run);
