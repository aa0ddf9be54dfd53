// Package watch reports which files below a folder may have changed. It knows
// nothing of what is in them.
//
// A report carries a path and no more: not what happened, nor that anything did.
// Whoever gets one looks for himself. The same path is reported again while it
// keeps changing, and now and then for nothing; it is never left out without a
// report that history was lost.
//
// # How it works
//
// One goroutine drains fsnotify and never waits for anybody: it only notes paths
// and watches new folders. A second one reports. A path is reported after a
// millisecond of quiet, so that an editor that truncates and then writes leads to
// one report, and at longer and longer intervals, up to 50 ms, while a file keeps
// changing. Correctness does not depend on these times.
//
// What inotify does not tell is found by other means. A new folder is watched,
// then listed. A folder that is moved away takes its watch along, in silence, so
// the parent of the watched folder is watched too. When the kernel's queue
// overflows, history is lost. And every ten minutes the watcher looks whether all folders
// are still watched. Where inotify is refused (no watches or
// instances left) or does not work (network mounts), all files are compared every
// two seconds with what they were by size, times and inode.
//
// A folder in which its owner writes all the time can be left out but for what is removed in
// its folders (Removals), which inotify is asked about alone, where there is inotify.
//
// Sync tells who has to know that nothing is outstanding: that all paths that changed
// before it was called have been reported.
package watch
