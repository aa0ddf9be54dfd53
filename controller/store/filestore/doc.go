// Package filestore keeps objects as files below .idumb, where people, editors,
// git and agents change them too, without asking.
//
// # Writing
//
// Writers that use this package hold one lock, .idumb/run/lock, so that what one
// of them checked still holds when it writes. Editors take no lock. So a spec is
// never simply replaced: the new version is written beside the old one, flushed,
// and the two are exchanged in one step; then the writer looks at what came out.
// If that is not what it had read, an editor was faster: the writer puts it back
// and reports store.ErrConflict. Nobody's save is lost. Where the system cannot
// exchange two files, the file is compared once more right before it is replaced.
// What this cannot see is a program that keeps the old file open and writes into it
// later, without having truncated it; no editor that we know of does.
//
// A write is acknowledged when the file and its folder are on disk. Statuses,
// which can be computed again, are renamed into place and not flushed.
//
// # Crashes
//
// Whatever moment a writer dies in, a file holds its old or its new bytes. What
// may be left is a temporary file beside it, whose name says which object and
// which two versions it was about. The next writer puts back what an editor had
// saved, if that is what it holds, and removes it.
//
// # Reading
//
// Reading takes no lock. Load reads every file each time (package load): what is known
// of them is kept in the controller's memory, not in another file.
package filestore
