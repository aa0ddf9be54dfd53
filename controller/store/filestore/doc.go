// Package filestore stores objects as files below .idumb. Users, editors, git
// and agents also change these files, without coordination.
//
// # Writing
//
// Writers of this package hold one lock, .idumb/run/lock, so that checks stay
// valid until the write. Editors take no lock. A spec is therefore not simply
// replaced. The new version is written next to the old one and flushed. Then
// both files are exchanged atomically, and the writer checks the removed
// version. If it differs from the version that the writer had read, an editor
// was faster: the writer puts it back and returns store.ErrConflict. No
// editor's save is lost. If the system cannot exchange files atomically, the
// writer compares the file again right before replacing it. A program that
// keeps the old file open and writes into it later without truncating it is not
// detected. No known editor does that.
//
// A write is acknowledged when the file and its directory are on disk. Statuses
// can be computed again; they are renamed into place without flushing.
//
// # Crashes
//
// If a writer crashes, a file has its old or its new content. A temporary file
// may remain. Its name contains the object and both versions. If the temporary
// file contains an editor's version, the next writer puts it back; otherwise it
// removes the file.
//
// # Reading
//
// Reading takes no lock. Load reads every file each time. Only the controller
// keeps a cache, in memory.
package filestore
