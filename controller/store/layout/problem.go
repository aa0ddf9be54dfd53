package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// unreadable makes the error for something that cannot be an object.
func unreadable(path, reason, remedy string) error {
	return fmt.Errorf("%w: %w", store.ErrUnreadable, resources.Problem{File: path, Reason: reason, Remedy: remedy})
}

// errSymlink is about a link in the place of a file or folder, as what says.
func errSymlink(path, what string) error {
	return unreadable(path, "is a symbolic link", "put the "+what+" itself in its place; links are not followed, so that nothing leaves the repository")
}

// folderError is an error about a folder, with which store.ErrFolder is told.
type folderError struct{ error }

func (e folderError) Unwrap() error { return e.error }

func (folderError) Is(target error) bool { return target == store.ErrFolder }

func errPermission(path string) error {
	return unreadable(path, "may not be read by this user", fmt.Sprintf("run \"chmod u+rw %s\" as its owner", path))
}

func errTooLarge(path string, size, limit int64) error {
	return unreadable(path, fmt.Sprintf("is %d bytes long; at most %d are read", size, limit), "make it shorter, or move it away")
}

// wrongType says why something that is not a regular file is no object.
func wrongType(path string, mode fs.FileMode) error {
	what := "not a regular file"
	switch {
	case mode&fs.ModeSymlink != 0:
		return errSymlink(path, "file")
	case mode.IsDir():
		what = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		what = "a FIFO"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	}
	return unreadable(path, "is "+what, "move it away; a regular file has to stand there")
}

// Misnamed makes the error for a file whose name no object can have; reason says why not.
func Misnamed(key resources.Key, reason error) error {
	return fmt.Errorf("%w: %w", store.ErrUnreadable, resources.Problem{
		Key: key, Object: key.String(), File: Path(key), Reason: "the file's name cannot be an object's: " + reason.Error(), Remedy: "rename the file",
	})
}

// missing tells an object that is not there from a store that is not there.
func missing(path string) error {
	if path == Dir {
		return fmt.Errorf("%s: %w; run \"idumb init\", or bring the folder back", Dir, store.ErrGone)
	}
	return absent(path)
}

// absent says that there is nothing at a path. Most files that the hook asks for are not
// there, and package fmt is a good part of a program to touch for that.
type absent string

func (path absent) Error() string { return string(path) + ": " + store.ErrNotFound.Error() }

func (absent) Unwrap() error { return store.ErrNotFound }

// Explain makes an error of the operating system about path one that says what
// to do. It leaves errors alone that it has nothing to say about.
func Explain(path string, err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	if hint := hint(err); hint != "" {
		return fmt.Errorf("%s: %w; %s", path, err, hint)
	}
	return fmt.Errorf("%s: %w", path, err)
}

func hint(err error) string {
	for _, known := range [...]struct {
		err  error
		hint string
	}{
		{syscall.ENOSPC, "nothing was changed; free some disk space and try again"},
		{store.ErrQuota, "nothing was changed; free some disk space and try again"},
		{syscall.EROFS, "nothing was changed; the file system is mounted read-only"},
		{syscall.EMFILE, "this process has too many files open; raise the limit (ulimit -n) and try again"},
		{syscall.ENFILE, "the system has too many files open; close some programs and try again"},
		{fs.ErrPermission, "nothing was changed; this user may not write there"},
		{syscall.ENAMETOOLONG, "choose a name of at most 250 characters"},
	} {
		if errors.Is(err, known.err) {
			return known.hint
		}
	}
	return ""
}

// ignoreMissing drops the errors that say that something is not there.
func ignoreMissing(err error) error {
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrGone) {
		return nil
	}
	return err
}
