// Package layout defines the paths of all files below .idumb and reads and
// replaces them safely. It has no third-party dependencies, so that the hook can
// use it.
//
// # Paths
//
// All paths of this package are relative to the repository's root, with '/', as
// in messages:
//
//	.idumb/<plural>/<name>.json             specs, edited by users
//	.idumb/config.json, trajectory.json     the two singleton kinds
//	.idumb/archive/<plural>/<name>.json     archived specs
//	.idumb/status/<plural>/<name>.json      statuses, derived by the controller
//	.idumb/quarantine/<plural>/<name>.json  why a file is broken, its last good version
//	.idumb/checkpoints/<task>.jsonl         checkpoint logs of tasks
//	.idumb/events/<day>.jsonl               events of reconcilers and hooks
//	.idumb/context/...                      packed contexts
//	.idumb/run/...                          locks, heartbeat, analysed terms of mems
//
// # Safe reading and writing
//
// Files below .idumb may come from untrusted sources. A file is opened without
// blocking and without following links. It is read only if it is a regular file
// of limited size. A FIFO, a device, a link out of the repository or a file of
// 100 MB is therefore harmless. Directories below the repository's root must
// not be links either. On Linux, directories are held open while they are used,
// so that they cannot be replaced by a link. On other systems there is a race
// between the check and the use.
package layout
