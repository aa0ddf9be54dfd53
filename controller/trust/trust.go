// Package trust records whether the user trusts a repository's .idumb.
//
// # Why
//
// A cloned repository may contain a malicious .idumb: rules and facts that
// reach every agent, or a config that disables the gate. Before the user trusts
// the repository (idumb trust), none of its text reaches a model, and it can
// only restrict. direnv does the same with .envrc.
//
// # Scope
//
// Trust covers a path and the content of the governing files: the config, the
// roles, and the other kinds that agents may not write
// (admission.GoverningKind). Each existing governing file must equal a trusted
// version, byte for byte. Several versions of each file are recorded, so that
// switching back to a branch needs no new decision. Plans, tasks, anchors, mems
// and delegations are not covered: they change with every step of the work, and
// in a trusted repository other authors may change them. After a governing file
// was changed or deleted, the last trusted version stays in effect (package
// hooks does that) until the user trusts the change. Record.Last returns it.
//
// # Storage
//
// Each repository has one file below $XDG_CONFIG_HOME/idumb/trust, or below the
// system's directory for user settings. If that directory has no record, the
// home directory of the user's account is used (AccountHome), because harnesses
// and sandboxes start agents with another HOME than the one in which the user
// ran idumb init. Variable grants trust without a file, for machines with a
// temporary home.
//
// # Limits
//
// A record is valid only if its resolved path is outside of its repository and
// if it belongs to the current user or to root. Otherwise a process that can
// set HOME for an agent, or write below /tmp, could supply a record. Variable
// is ignored if a settings file of the repository sets it (SetByRepository).
package trust

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// Variable lists directories in the format of PATH. Every repository in or
// below one of them is trusted. It is intended for containers and CI, and must
// be set in the environment in which the host starts its hooks.
const Variable = admission.TrustVariable

// Store accesses the trust records of one user. It holds no file open and may
// be copied.
type Store struct {
	dir     string        // directory of records; empty if there is none
	account func() string // returns the directory in the account's home, which is used if dir has no record
	granted []string      // directories in Variable
}

// StoreOf returns the store of a user for an environment. getenv returns the value
// of a variable, or "" if it is not set.
func StoreOf(getenv func(name string) string) Store {
	s := Store{account: accountRecords, dir: pathIn(ConfigDir(getenv), "idumb/trust")}
	for _, dir := range filepath.SplitList(getenv(Variable)) {
		if filepath.IsAbs(dir) {
			s.granted = append(s.granted, filepath.Clean(dir))
		}
	}
	return s
}

// ConfigDir is os.UserConfigDir for any environment, with XDG_CONFIG_HOME on
// every system. It returns "" if the environment names no home.
func ConfigDir(getenv func(string) string) string {
	if base := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(base) {
		return base
	}
	if runtime.GOOS == "windows" {
		return absolute(getenv("AppData"))
	}
	return settingsIn(getenv("HOME"))
}

// UserDir returns the directory of the user's private iDumb files:
// settings that may loosen rules, and trust records. It returns "" if there is
// none, or if it is in the given repository and thus under the repository's
// control.
func UserDir(root layout.Root, getenv func(string) string) string {
	base := ConfigDir(getenv)
	if base != "" && isInside(base, realPath(root)) {
		return ""
	}
	return pathIn(base, "idumb")
}

// settingsIn returns the directory of settings in a home directory, or "".
func settingsIn(home string) string {
	if absolute(home) == "" {
		return ""
	}
	switch runtime.GOOS {
	case "windows":
		return filepath.Join(home, "AppData", "Roaming")
	case "darwin", "ios":
		return filepath.Join(home, "Library", "Application Support")
	}
	return filepath.Join(home, ".config")
}

// absolute returns the path, or "" if it is relative.
func absolute(path string) string {
	if !filepath.IsAbs(path) {
		return ""
	}
	return path
}

// AccountDir returns the directory of the user's private iDumb files in the
// account's home, independent of HOME, or "".
func AccountDir() string { return pathIn(settingsIn(AccountHome()), "idumb") }

// accountRecords returns the directory of trust records in the account's home,
// independent of HOME, or "".
func accountRecords() string { return pathIn(AccountDir(), "trust") }

// pathIn returns the path of name in dir, or "" if dir is empty.
func pathIn(dir, name string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, name)
}

// errNoHome means that there is no place to store trust.
var errNoHome = errors.New("there is no place to keep what you trust: neither XDG_CONFIG_HOME nor HOME is set; set one of them, or name the repository's folder in " + Variable)

// Load returns the trust record of a repository. It never fails: an unreadable
// record grants no trust.
func (s Store) Load(root layout.Root) Record { return s.LoadAfter(new(Last), root) }

// Last caches the last loaded record and the governing files, for repeated
// loads. The zero value is empty. It is safe for concurrent use.
type Last struct {
	record atomic.Pointer[Record]
	files  atomic.Pointer[map[string]cachedHash] // by path; replaced, never modified
}

// cached returns the cached hashes of the governing files.
func (l *Last) cached() map[string]cachedHash {
	if l == nil {
		return nil
	}
	if known := l.files.Load(); known != nil {
		return *known
	}
	return nil
}

// remember caches the state of the files, if it changed. A file that may have
// changed again without a visible difference is not cached.
func (l *Last) remember(known map[string]cachedHash, files []governingFile) {
	if l == nil {
		return
	}
	next, now := make(map[string]cachedHash, len(files)), time.Now()
	same := len(files) == len(known)
	for _, f := range files {
		if f.err == nil && f.info.IsSettled(now) {
			next[f.path] = cachedHash{f.info, f.sum}
		}
		same = same && f.content == nil
	}
	if !same {
		l.files.Store(&next)
	}
}

// LoadAfter is like Load, but reuses the last record if its file is unchanged.
// It stores the result in last.
func (s Store) LoadAfter(last *Last, root layout.Root) Record {
	real := realPath(root)
	if s.grants(root, real) {
		return Record{root: root, granted: true}
	}
	var before Record
	if known := last.record.Load(); known != nil {
		before = *known
	}
	r, err := s.read(real, before)
	if err != nil {
		return Record{root: root}
	}
	r.root, r.last = root, last
	if r.file != before.file {
		last.record.Store(&r)
	}
	return r
}

// grants reports whether Variable trusts a repository.
func (s Store) grants(root layout.Root, real string) bool {
	for _, dir := range s.granted {
		if isBelow(dir, string(root)) || isBelow(dir, real) {
			return !SetByRepository(root, Variable)
		}
	}
	return false
}

// Trust records the current state of the repository as trusted. It does nothing
// if Variable grants trust.
func (s Store) Trust(root layout.Root) error {
	r := s.Load(root)
	if r.granted {
		return nil
	}
	files, err := readGoverning(root, nil)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.err != nil {
			return fmt.Errorf("%s cannot be trusted because it cannot be read: %w; mend or remove it", f.path, f.err)
		}
		r.add(f.path, f.content)
	}
	for _, file := range r.missingFiles(files) {
		r.add(file, nil)
	}
	return s.write(root, r)
}

// MainTrustsError means that the record of the main working tree trusts a linked one.
type MainTrustsError struct{ Tree, Main string }

// Error names the command that revokes the trust.
func (e *MainTrustsError) Error() string {
	return fmt.Sprintf("%s is a working tree of %s, whose record trusts it; run idumb trust --revoke in %[2]s", e.Tree, e.Main)
}

// Untrust removes the record of a repository and reports whether it had one. It
// returns an error if Variable grants trust, which only the environment can
// revoke, and a *MainTrustsError if the main working tree's record trusts it.
func (s Store) Untrust(root layout.Root) (bool, error) {
	if r := s.Load(root); r.granted {
		return false, fmt.Errorf("%s names a folder that %s is in; take it out there", Variable, root)
	}
	real, was := realPath(root), false
	for _, dir := range s.recordDirs() {
		err := os.Remove(recordIn(dir, real))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return was, fmt.Errorf("forget what you trust: %w", err)
		}
		was = was || err == nil
		if info, failed := os.Lstat(dir); err == nil && failed == nil && info.IsDir() {
			_ = os.Remove(dir) // only if it is empty
		}
	}
	if left := s.Load(root); left.exists { // record of the main working tree
		return was, &MainTrustsError{string(root), layout.MainTree(real)}
	}
	return was, nil
}

// recordDirs returns the directories of records, the environment's directory first.
func (s Store) recordDirs() []string {
	var all []string
	for _, dir := range []string{s.dir, s.account()} {
		if dir != "" && !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	return all
}

// Extend extends trust to a governing object that the user's command created,
// changed or removed. before is the previous content of the file, or nil for a
// new file, which becomes trusted. A file that was not trusted stays untrusted
// after a change. An untrusted repository gets no trusted files.
func (s Store) Extend(root layout.Root, key resources.Key, before []byte) error {
	if kind, known := resources.KindOf(key.Kind); !known || !admission.GoverningKind(kind) {
		return nil
	}
	file := layout.Path(key)
	r := s.Load(root)
	data, _, err := root.Read(file, layout.MaxSpec)
	removed := errors.Is(err, store.ErrNotFound)
	if !r.exists || !removed && before != nil && !r.Knows(file, before) {
		return nil
	}
	if err != nil && !removed {
		return fmt.Errorf("keep the trust in %s: %w", file, err)
	}
	if r.Knows(file, data) || removed && !r.Has(file) {
		return nil
	}
	r.add(file, data)
	return s.write(root, r)
}

// recordIn returns the record's path of a repository in a directory of records.
// real is the repository's resolved path.
func recordIn(dir, real string) string {
	sum := sha256.Sum256([]byte(real))
	return filepath.Join(dir, hex.EncodeToString(sum[:]))
}

// write replaces a record in the directory from which it was read, or else in
// the environment's directory.
func (s Store) write(root layout.Root, r Record) error {
	dir, real := cmp.Or(r.dir, s.dir), realPath(root)
	if dir == "" {
		return errNoHome
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder that keeps what you trust: %w", err)
	}
	if isInside(dir, real) {
		return fmt.Errorf("what you trust would be kept in %s, which is in the repository itself, and does not count there; set XDG_CONFIG_HOME to a folder elsewhere, or name the repository's folder in %s", dir, Variable)
	}
	f, err := os.CreateTemp(dir, ".new-")
	if err == nil {
		defer os.Remove(f.Name())
		_, err = f.Write(r.text(real))
		if err = errors.Join(err, f.Close()); err == nil {
			err = os.Rename(f.Name(), recordIn(dir, real))
		}
	}
	if err != nil {
		return fmt.Errorf("keep that %s is trusted: %w", root, err)
	}
	return nil
}

// isInside reports whether a directory is in a repository, with links resolved.
func isInside(dir, real string) bool {
	if isBelow(real, dir) {
		return true
	}
	resolved, err := filepath.EvalSymlinks(dir)
	return err == nil && isBelow(real, resolved)
}

// realPath returns the absolute path of a repository with links resolved.
func realPath(root layout.Root) string {
	path, err := filepath.Abs(string(root))
	if err != nil {
		return string(root)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// isBelow reports whether a path is dir or below it.
func isBelow(dir, path string) bool {
	rest, found := strings.CutPrefix(path, dir)
	return found && (rest == "" || os.IsPathSeparator(rest[0]) || os.IsPathSeparator(dir[len(dir)-1]))
}
