//! The DMA pusher, objects and handles.
