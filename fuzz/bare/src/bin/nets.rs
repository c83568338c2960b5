//! A program of the layer `nets`.

#![no_std]
#![no_main]

barrow_bare::program!(barrow_bare::layers::nets::run);
