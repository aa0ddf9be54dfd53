// Package watch reports which files below a folder may have changed. It does not read file
// contents.
//
// A report consists of a path. It does not state what happened: the receiver reads the file. A path
// is reported again while it keeps changing, and sometimes without a change. If events were lost,
// the package reports that instead of the paths.
//
// # How it works
//
// One goroutine reads events from fsnotify and never blocks: it records paths and adds watches on
// new folders. A second goroutine reports. A path is reported after a millisecond without an event,
// so that an editor that truncates and then writes causes one report. While a file keeps changing,
// the interval between its reports grows to 50 ms. Correctness does not depend on these times.
//
// inotify does not report everything. A new folder is watched and then listed. A folder that is
// moved away keeps its watch without an event, so the parent of the watched folder is watched
// too. When the queue of the kernel overflows, events are lost and all watches are renewed. Every
// ten minutes the watcher checks that all folders are still watched. If inotify refuses a watch
// (its limits are reached) or does not work (network mounts), the watcher compares size, times
// and inode of all files every two seconds.
//
// A folder in which its owner writes often can be reduced to the removal of files in its subfolders
// (Removals). On Linux this uses a second inotify instance.
//
// Sync waits until every path that changed before the call has been reported.
package watch
