package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// unreadable returns the error for a file that cannot be an object.
func unreadable(path, reason, remedy string) error {
	return fmt.Errorf("%w: %w", store.ErrUnreadable, resources.Problem{File: path, Reason: reason, Remedy: remedy})
}

// errSymlink returns the error for a symbolic link in place of a file or
// directory. what is the expected type.
func errSymlink(path, what string) error {
	return unreadable(path, "is a symbolic link", "replace it with the "+what+" itself; links are not followed, so that all files stay in the repository")
}

// folderError is an error about a directory that wraps store.ErrFolder.
type folderError struct{ error }

func (e folderError) Unwrap() error { return e.error }

// Is reports whether target is store.ErrFolder.
func (folderError) Is(target error) bool { return target == store.ErrFolder }

// errPermission returns the error for a file that the current user may not
// read.
func errPermission(path string) error {
	return unreadable(path, "may not be read by this user", "check owner and mode: ls -ld "+path)
}

// errTooLarge returns the error for a file that is longer than the limit.
func errTooLarge(path string, size, limit int64) error {
	return unreadable(path, fmt.Sprintf("is %d bytes long; at most %d are read", size, limit), "make it shorter, or move it away")
}

// wrongType returns the error for a file that is not a regular file.
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
	return unreadable(path, "is "+what, "replace it with a regular file")
}

// Misnamed returns the error for a file whose name is not a valid object name,
// for the given reason.
func Misnamed(key resources.Key, reason error) error {
	return fmt.Errorf("%w: %w", store.ErrUnreadable, resources.Problem{
		Key: key, Object: key.String(), File: Path(key), Reason: "the file name is invalid: " + reason.Error(), Remedy: "rename the file",
	})
}

// missing returns ErrGone for a missing .idumb and ErrNotFound for any other
// missing path.
func missing(path string) error {
	if path == Dir {
		return fmt.Errorf("%s: %w; run \"idumb init\", or bring the folder back", Dir, store.ErrGone)
	}
	return absent(path)
}

// absent is the error for a missing path. Most files that the hook reads are
// missing, and loading package fmt is expensive for it.
type absent string

func (path absent) Error() string { return string(path) + ": " + store.ErrNotFound.Error() }

func (absent) Unwrap() error { return store.ErrNotFound }

// Explain adds the path and a remedy to an error of the operating system. It
// adds only the path if it knows no remedy.
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

// hint returns the remedy for an error of the operating system, or "".
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

// ignoreMissing returns the error, or nil if it means that a file is missing.
func ignoreMissing(err error) error {
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrGone) {
		return nil
	}
	return err
}
