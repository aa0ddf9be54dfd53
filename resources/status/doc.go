// Package status derives the status of objects from their specs and checkpoint logs. It
// computes phases, blockers, ready tasks, cycles, orphaned references, drift and evidence.
//
// All functions are pure. They read objects through the View interface. The same objects,
// checkpoints and time always produce the same status. The controller's cache, commands
// that read files, and hooks that read by name therefore agree. Package memory computes the
// status of mems.
package status
