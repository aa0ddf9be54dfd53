// Package trust knows whether the person who runs this program trusts what a
// repository's .idumb says.
//
// # Why
//
// A repository that was cloned may carry an .idumb of somebody's who means harm: rules
// and facts that are put in front of every agent, a config that switches the gate off.
// Until the person says so (idumb trust) none of its text reaches a model, and it can
// only restrict. direnv does the same with .envrc.
//
// # What is trusted
//
// A path and the content of the files that govern: the config, the roles, and whatever
// other kinds agents may not write (admission.GoverningKind). Each such file that is there must
// be one that was trusted, byte for byte; of each file the last sums are kept, so that
// going back to a branch asks for nothing. Plans, tasks, anchors, mems and delegations
// are not looked at: they change with every step of the work, and in a repository that is
// trusted they are expected to come from others as well. What was trusted goes on counting
// after the file changed or went (hooks does that), until the person trusts it so: Record.Last
// has it.
//
// # Where it is kept
//
// In one file a repository below $XDG_CONFIG_HOME/idumb/trust, or else where the system
// keeps a person's settings. Where that place knows nothing of a repository, the home that
// the system has on file for the user is asked (AccountHome): agents are started under
// other homes than the one in which the person ran idumb init (harnesses, sandboxes,
// HOME=/tmp), and are the same person's. Variable grants trust without a file, for
// machines whose home is thrown away.
//
// # What a repository cannot do for itself
//
// A record counts only if it stands outside the repository that it is about, links
// resolved, and belongs to this user or to root: whoever can set HOME for an agent, or
// write below /tmp, would otherwise bring a record along. Variable does not count where
// the settings that a repository brings for its agents set it (Brought).
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

// Variable names folders, as PATH does: every repository in or below one of them is
// trusted, whatever it holds. It is for containers and CI, and counts in the environment
// in which the host starts its hooks.
const Variable = admission.TrustVariable

// Store is where one person's trust is kept. It holds no file open and may be copied.
type Store struct {
	dir     string        // of the records; "" if there is no place for them
	account func() string // the same in the home that the system has on file; asked where dir has no record
	granted []string      // folders that Variable names
}

// For returns the store of a person by the environment: getenv returns a variable's
// value, "" if it is not set.
func For(getenv func(name string) string) Store {
	s := Store{account: accountRecords, dir: in(ConfigFolder(getenv), "idumb/trust")}
	for _, dir := range filepath.SplitList(getenv(Variable)) {
		if filepath.IsAbs(dir) {
			s.granted = append(s.granted, filepath.Clean(dir))
		}
	}
	return s
}

// ConfigFolder is os.UserConfigDir in an environment that need not be this process's own,
// and with XDG_CONFIG_HOME on every system. "" if the environment names no home.
func ConfigFolder(getenv func(string) string) string {
	if base := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(base) {
		return base
	}
	if runtime.GOOS == "windows" {
		return absolute(getenv("AppData"))
	}
	return settingsIn(getenv("HOME"))
}

// PersonFolder is where a person keeps what is theirs alone for iDumb: settings that may
// loosen, and what they trust. "" if there is no such place, or if it stands in the
// repository that is asked about, whose word it would be then.
func PersonFolder(root layout.Root, getenv func(string) string) string {
	base := ConfigFolder(getenv)
	if base != "" && inside(base, realPath(root)) {
		return ""
	}
	return in(base, "idumb")
}

// settingsIn is where programs keep their settings in a home folder, "" without one.
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

func absolute(path string) string {
	if !filepath.IsAbs(path) {
		return ""
	}
	return path
}

// AccountFolder is where a person keeps what is theirs alone for iDumb in the home that
// the system has on file, whatever HOME says; "" if it has none.
func AccountFolder() string { return in(settingsIn(AccountHome()), "idumb") }

func accountRecords() string { return in(AccountFolder(), "trust") }

// in is a name in a folder; "" if there is no folder.
func in(dir, name string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, name)
}

// errNoHome is said where trust is to be kept and there is no place for it.
var errNoHome = errors.New("there is no place to keep what you trust: neither XDG_CONFIG_HOME nor HOME is set; set one of them, or name the repository's folder in " + Variable)

// Load reads what is trusted of a repository. It never fails: what cannot be read is no
// trust.
func (s Store) Load(root layout.Root) Record { return s.LoadAfter(new(Last), root) }

// Last is the record that was loaded last, and what governed then, for who loads and examines it
// again and again. The zero Last is none. Any number of goroutines may use it.
type Last struct {
	record atomic.Pointer[Record]
	files  atomic.Pointer[map[string]looked] // by path; replaced, never changed
}

// looked are the files that govern as they were looked at last.
func (l *Last) looked() map[string]looked {
	if l == nil {
		return nil
	}
	if known := l.files.Load(); known != nil {
		return *known
	}
	return nil
}

// look keeps how the files are that were read, if that differs from what is known. One that may
// have changed since without showing it is read again the next time.
func (l *Last) look(known map[string]looked, files []governingFile) {
	if l == nil {
		return
	}
	next, now := make(map[string]looked, len(files)), time.Now()
	same := len(files) == len(known)
	for _, f := range files {
		if f.err == nil && f.info.Settled(now) {
			next[f.path] = looked{f.info, f.sum}
		}
		same = same && f.content == nil
	}
	if !same {
		l.files.Store(&next)
	}
}

// LoadAfter is Load. What was read last is not read again as long as its file is the same; what is
// loaded becomes the last.
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
		if below(dir, string(root)) || below(dir, real) {
			return !Brought(root, Variable)
		}
	}
	return false
}

// Trust keeps that the person trusts the repository as it is now. It does nothing where
// Variable grants it anyway.
func (s Store) Trust(root layout.Root) error {
	r := s.Load(root)
	if r.granted {
		return nil
	}
	files, err := governing(root, nil)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.err != nil {
			return fmt.Errorf("%s cannot be trusted because it cannot be read: %w; mend or remove it", f.path, f.err)
		}
		r.add(f.path, f.content)
	}
	for _, file := range r.gone(files) {
		r.add(file, nil)
	}
	return s.write(root, r)
}

// Untrust forgets the repository, and reports whether it was trusted. It is an error if
// Variable grants trust, which only a person's environment takes back.
func (s Store) Untrust(root layout.Root) (bool, error) {
	r := s.Load(root)
	if r.granted {
		return false, fmt.Errorf("%s names a folder that %s is in; take it out there", Variable, root)
	}
	real, was := realPath(root), false
	for _, dir := range s.places() {
		err := os.Remove(recordIn(dir, real))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return was, fmt.Errorf("forget what you trust: %w", err)
		}
		was = was || err == nil
	}
	if left := s.Load(root); left.kept { // that of the repository whose working tree this is
		return was, fmt.Errorf("%s is a working tree of %s, and stands under what you trust there; run idumb trust --revoke in %[2]s", root, layout.MainTree(real))
	}
	return was, nil
}

// places are the folders that records are in, the environment's own first.
func (s Store) places() []string {
	var all []string
	for _, dir := range []string{s.dir, s.account()} {
		if dir != "" && !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	return all
}

// Keep carries trust over a change that the person's own command made to an object of the
// repository, or over its removal, if that is one of those that govern: before is what stood in
// its file, nil if nothing did. A file that was not trusted before is not trusted by being
// changed, and a repository that nobody trusts stays one.
func (s Store) Keep(root layout.Root, key resources.Key, before []byte) error {
	kind, known := resources.KindOf(key.Kind)
	if !known || !admission.GoverningKind(kind) {
		return nil
	}
	file := layout.Path(key)
	r := s.Load(root)
	data, _, err := root.Read(file, layout.MaxSpec)
	removed := errors.Is(err, store.ErrNotFound)
	if !r.kept || !removed && before != nil && !r.Knows(file, before) {
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

// recordIn is the record of a repository in a folder of records, by its real path.
func recordIn(dir, real string) string {
	sum := sha256.Sum256([]byte(real))
	return filepath.Join(dir, hex.EncodeToString(sum[:]))
}

// write replaces a record as a whole, where it was read, or else where the environment
// says.
func (s Store) write(root layout.Root, r Record) error {
	dir, real := cmp.Or(r.dir, s.dir), realPath(root)
	if dir == "" {
		return errNoHome
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder that keeps what you trust: %w", err)
	}
	if inside(dir, real) {
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

// inside reports whether a folder stands in a repository, links resolved.
func inside(dir, real string) bool {
	if below(real, dir) {
		return true
	}
	resolved, err := filepath.EvalSymlinks(dir)
	return err == nil && below(real, resolved)
}

// realPath is the one name of a repository, however it was come to.
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

// below reports whether path is dir or stands below it.
func below(dir, path string) bool {
	rest, found := strings.CutPrefix(path, dir)
	return found && (rest == "" || os.IsPathSeparator(rest[0]) || os.IsPathSeparator(dir[len(dir)-1]))
}
