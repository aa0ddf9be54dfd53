package hook

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/trust"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Waiting for someone who writes a file in place: vim and node cut it to zero
// bytes first, so what does not parse is read again for a moment.
const (
	tornPatience = 50 * time.Millisecond
	tornPause    = 5 * time.Millisecond
)

// repo is a repository as one run of the hook sees it. What was read once is
// kept: a decision sees one version of each object.
type repo struct {
	root     layout.Root
	real     string // root with its links resolved; "" until somebody asks
	files    *layout.Reader
	env      environment
	now      time.Time
	settings *resources.ConfigSpec
	objects  map[resources.Key]resources.Object  // nil values: not there, or never readable
	broken   map[resources.Key]resources.Problem // what is wrong with files that cannot be read as they are
	seen     map[string]*resources.Sightings
	names    map[string][]string // of a kind, once listed
	mentions map[string][]string // of a kind and a word, once looked for
	marks    map[string][]string // files in quarantine, of a kind
	circles  resources.CircleFinder
	hints    *resources.Hints // of a controller that lives; nil: there is none
	asked    bool             // whether hints have been looked for
	patience time.Duration    // what is left for torn files, over the whole run
	examined bool             // whether it has been looked up how the repository stands
	standing trust.State
	record   *trust.Record // nil: not read yet
	idle     *idleTasks    // nil: not asked for yet
	unlisted error         // why the objects of a kind cannot be told; nil if they can
}

// findRoot finds the repository: the host's own word for it first, then the
// folder in which the event happened. ErrNoRoot if nothing is governed there.
func findRoot(env environment, cwd string) (layout.Root, error) {
	for _, dir := range []string{env.get("CLAUDE_PROJECT_DIR"), cwd} {
		if dir == "" {
			continue
		}
		if root, err := layout.Find(dir); err == nil {
			return root, nil
		}
	}
	return layout.Find(".")
}

// openRepo reads how the repository wants to be governed.
func openRepo(root layout.Root, env environment, now time.Time) *repo {
	r := &repo{
		root: root, files: layout.NewReader(root), env: env, now: now, patience: tornPatience,
		objects: map[resources.Key]resources.Object{}, broken: map[resources.Key]resources.Problem{}, seen: map[string]*resources.Sightings{}, names: map[string][]string{},
		mentions: map[string][]string{}, marks: map[string][]string{},
	}
	r.settings = r.readSettings()
	r.settings.Mode = r.override(r.settings.Mode)
	return r
}

// readSettings returns config.json over the defaults. A broken one whose last
// good version is not known leaves the defaults, which enforce.
func (r *repo) readSettings() *resources.ConfigSpec {
	o, _ := r.get(resources.Key{Kind: resources.Configs, Name: resources.ConfigName})
	config, _ := o.(*resources.Config)
	return r.guarded(resources.EffectiveConfig(config))
}

// get returns the last good version of an object.
func (r *repo) get(key resources.Key) (resources.Object, bool) {
	o, known := r.objects[key]
	if !known {
		o = r.read(key)
		r.objects[key] = o
	}
	return o, o != nil
}

// read reads an object by name: the file itself, again for a moment if it is
// being written, and then the last good version of a broken one.
func (r *repo) read(key resources.Key) resources.Object {
	if resources.CheckName(key.Name) != nil {
		return nil
	}
	for {
		data, info, err := r.files.Read(layout.Path(key), layout.MaxSpec)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		torn := err == nil // perhaps: it is being written
		if torn {
			var o resources.Object
			if o, _, err = resources.Read(key, data); err == nil {
				o.Source().ModTime = info.ModTime
				if key.Kind == resources.Mems { // so that its analysis can be taken from what was kept
					o.Source().Revision = resources.Revision(data)
				}
				return o
			}
		}
		if !torn || r.patience <= 0 {
			r.broken[key] = problemOf(key, err)
			break
		}
		time.Sleep(tornPause)
		r.patience -= tornPause
	}
	data, _, found := r.root.LastGood(key)
	if !found {
		return nil
	}
	o, _, err := resources.Read(key, data)
	if err != nil {
		return nil
	}
	return o
}

// problemOf is what a pack says of a file that cannot be read.
func problemOf(key resources.Key, err error) resources.Problem {
	var p resources.Problem
	if !errors.As(err, &p) {
		p.Reason = err.Error()
	}
	p.Key, p.Object, p.File = key, key.String(), layout.Path(key)
	return p
}

// list returns the names of a kind's objects, sorted.
func (r *repo) list(kind string) []string {
	if names, known := r.names[kind]; known {
		return names
	}
	var names []string
	files, err := r.files.Names(layout.Folder(kind))
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		r.unlisted = err
	}
	names = make([]string, 0, len(files))
	for _, file := range files {
		if name, ok := layout.ObjectName(file); ok {
			names = append(names, name)
		}
	}
	r.names[kind] = names
	return names
}

// mentioning lists the objects of a kind whose files hold one of the words at all: far
// cheaper than decoding them, for scans. What cannot be read, or is broken with a
// good version kept elsewhere, may mention anything.
func (r *repo) mentioning(kind string, words ...string) []string {
	return r.lookFor(words, kind, nil)
}

// lookFor does not read what is known to be idle.
func (r *repo) lookFor(words []string, kind string, idle *idleTasks) []string {
	key := kind + "\x00" + strings.Join(words, "\x00")
	if names, known := r.mentions[key]; known {
		return names
	}
	var found []string
	for _, name := range r.list(kind) {
		key := resources.Key{Kind: kind, Name: name}
		if idle != nil && idle.has(name+".json") && !r.quarantined(key) {
			continue
		}
		data, info, err := r.files.Read(layout.Path(key), layout.MaxSpec)
		switch {
		case err != nil || len(data) == 0 || slices.ContainsFunc(words, func(word string) bool { return mayMention(data, word) }):
			found = append(found, name)
			r.adopt(key, data, info)
		case r.quarantined(key): // which reads over data
			found = append(found, name)
		case idle != nil:
			idle.add(name+".json", info, r.now)
		}
	}
	r.mentions[key] = found
	return found
}

// adopt keeps an object that was come across, so that it need not be read again. What
// is broken is left for get, which knows what to do then.
func (r *repo) adopt(key resources.Key, data []byte, info layout.Info) {
	if _, known := r.objects[key]; known {
		return
	}
	if o, _, err := resources.Read(key, data); err == nil {
		o.Source().ModTime = info.ModTime
		r.objects[key] = o
	}
}

// mayMention reports whether a JSON text can hold a name. A name is letters, digits,
// dots and hyphens: JSON writes those as they are, or as \u and four digits.
func mayMention(text []byte, name string) bool {
	return bytes.Contains(text, []byte(name)) || bytes.Contains(text, []byte(`\u`))
}

// quarantined reports whether an object is marked as broken. The folder of marks
// is read once for each kind; it is nearly always empty.
func (r *repo) quarantined(key resources.Key) bool {
	marks, known := r.marks[key.Kind]
	if !known {
		marks, _ = r.files.Names(layout.QuarantineDir + "/" + key.Kind)
		r.marks[key.Kind] = marks
	}
	return slices.Contains(marks, key.Name+".json")
}

// liveHints returns what a living controller knows; nil if none lives.
func (r *repo) liveHints() *resources.Hints {
	if r.asked {
		return r.hints
	}
	r.asked = true
	data, _, err := r.files.Read(layout.ContextPath(resources.HintsFile), layout.MaxSpec)
	if err != nil || !r.root.ControllerAlive() {
		return nil
	}
	if o, err := readObject(data); err == nil {
		r.hints = hintsIn(o)
	}
	return r.hints
}

// dropHints makes the repository look for itself from now on; false if it does
// already.
func (r *repo) dropHints() bool {
	had := r.hints != nil
	r.hints, r.asked = nil, true
	return had
}

// hintsIn takes out of a controller's hints what the hook looks for: names.
func hintsIn(o object) *resources.Hints {
	h := &resources.Hints{ActivePlans: texts(o["activePlans"]), Ready: texts(o["ready"])}
	for _, item := range items(o["activeTasks"]) {
		if task, err := readObject(item); err == nil {
			h.ActiveTasks = append(h.ActiveTasks, resources.HintTask{Name: task.text("name")})
		}
	}
	return h
}

// resolver resolves paths as the event's agent means them.
func (r *repo) resolver(env environment, cwd string) resolver {
	if cwd == "" {
		cwd, _ = os.Getwd()
	}
	if r.real == "" {
		r.real = followed(string(r.root))
	}
	return resolver{root: r.real, home: env.home(), claude: env.get("CLAUDE_CONFIG_DIR"), config: env.get("XDG_CONFIG_HOME"), cwd: cwd}
}

// followed is follow for folders that are known to exist, or "".
func followed(dir string) string {
	if dir == "" {
		return ""
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	if real, err := follow(abs); err == nil {
		return real
	}
	return abs
}

// environment is a list of NAME=value, as os.Environ returns it.
type environment []string

func (e environment) get(name string) string {
	for i := len(e) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(e[i], name+"="); ok {
			return value
		}
	}
	return ""
}

func (e environment) home() string {
	if home := e.get("HOME"); home != "" {
		return home
	}
	return e.get("USERPROFILE")
}
