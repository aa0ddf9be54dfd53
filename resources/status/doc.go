// Package status says what holds about objects: phases, what blocks a task or a plan, what
// comes next, circles and orphans among references, drift, and what checkpoint logs prove.
//
// Its functions are pure. They ask a View, the one interface of "what is there", and the same
// objects, checkpoints and clock give the same status, whoever asks: the controller's cache,
// a command that read the files, a hook that reads by name. What holds about mems is computed
// in package memory.
package status
