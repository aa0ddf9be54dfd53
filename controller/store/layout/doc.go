// Package layout is the one place that knows where things stand below .idumb,
// and how to read and replace them safely. It links nothing but the standard
// library, so that the hook can use it.
//
// # Paths
//
// Every path of this package is from the repository's root, with '/', as it
// stands in messages:
//
//	.idumb/<plural>/<name>.json             specs: what people edit
//	.idumb/config.json, trajectory.json     the two kinds of which there is one
//	.idumb/archive/<plural>/<name>.json     specs that were set aside
//	.idumb/status/<plural>/<name>.json      what the controller observed
//	.idumb/quarantine/<plural>/<name>.json  why a file is broken, its last good version
//	.idumb/checkpoints/<task>.jsonl         what was done for a task
//	.idumb/events/<day>.jsonl               what reconcilers and hooks did or saw
//	.idumb/context/...                      the packed context
//	.idumb/run/...                          locks, heartbeat, analysed terms of mems
//
// # Safe reading and writing
//
// What lies below .idumb may come from strangers. A file is opened without
// waiting and without following links, and read only if it is a regular file
// of a bearable size, so that a FIFO, a device, a link out of the repository or
// 100 MB cost nothing. No folder below the repository's root may be a link
// either. On Linux folders are held open while one works in them, so that none
// can be swapped for a link meanwhile; elsewhere there is a moment between the
// check and the use.
package layout
