package hooks

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/effects"
	"github.com/idumb-dev/idumb/controller/mutate/queue/wishes"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// Backend is what the controller knows and makes, for answers that it gives itself. The zero
// Backend is a run on its own: it reads the files, and has no packs but those that were
// written last.
type Backend struct {
	Reader   graph.Reader // the cache, level with the files; nil: the files
	Contexts Contexts     // who packs; nil: nobody
	Code     Code         // who knows the code; nil: nobody
	Specs    *Specs       // what became of plans and tasks; nil: nobody remembers
	Carrier  Carrier      // writes specs; nil: they are queued
	trusts   *trust.Last  // what the person trusted, for the runs that follow; nil: none does
}

// Carrier carries out a wish of a hook.
type Carrier func(ctx context.Context, w wishes.Wish) error

// The rule about evidence asks whether a file exists.
var _ interface {
	SourceFile(path string) (time.Time, string, bool)
} = (*repo)(nil)

// repo is a repository as one run of the hook sees it: the graph of its objects, and what the
// run needs beside. A decision sees one version of each object.
type repo struct {
	*graph.Graph
	folder
	real     string // the root with its links resolved; "" until somebody asks
	specs    *files // of objects, where the reader has to be passed by
	overlay  *overlay
	changed  *Specs  // Backend.Specs
	carrier  Carrier // Backend.Carrier
	alone    bool    // the files are read
	contexts Contexts
	code     Code // nil: nobody knows it
	env      environment
	now      time.Time
	settings *resources.ConfigSpec
	examined bool // whether it has been looked up how the repository stands
	standing trust.State
	news     []string                    // what governs and is not as it was trusted
	trusts   *trust.Last                 // Backend.trusts
	record   *trust.Record               // nil: not read yet
	leases   map[string]*resources.Lease // by task, as they were read; nil values: there is none
}

// open reads how the repository wants to be governed.
func (k Backend) open(root Root, env environment, now time.Time) *repo {
	r := &repo{folder: folder{Root: root}, trusts: cmp.Or(k.trusts, new(trust.Last)), env: env, now: now, contexts: k.Contexts, code: k.Code, changed: k.Specs, carrier: k.Carrier, alone: k.Reader == nil, leases: map[string]*resources.Lease{}}
	r.specs = readFiles(root)
	if k.Reader == nil {
		k.Reader = r.specs
	}
	if r.contexts == nil {
		r.contexts = lastPacks{r.folder}
	}
	r.overlay = &overlay{Reader: k.Reader, own: map[resources.Key]resources.Object{}, repo: r}
	r.settings = r.readSettings()
	r.settings.Mode = r.override(r.settings.Mode)
	r.Graph = graph.New(r.overlay.reader(), r.settings, now)
	return r
}

// overlay is a reader on which objects were laid that a run has written, or imagines. What governs
// is there as far as it counts.
type overlay struct {
	graph.Reader
	own  map[resources.Key]resources.Object // nil values: there is none any more
	repo *repo                              // whose person trusts what governs
}

// Get returns the object that was laid on, or the reader's.
func (o *overlay) Get(key resources.Key) (resources.Object, graph.State) {
	switch own, laid := o.own[key]; {
	case laid && own == nil:
		return nil, graph.Missing
	case laid:
		return own, graph.Good
	}
	object, state := o.Reader.Get(key)
	if governs(key.Kind) {
		return o.repo.counting(key, object, state)
	}
	return object, state
}

// Names are those that the reader knows, and what was trusted of what governs.
func (o *overlay) Names(kind string) []string {
	return joinNames(o.Reader.Names(kind), o.repo.trustedNames(kind))
}

// Mentioning is the reader's, with what was trusted of what governs.
func (o *overlay) Mentioning(kind string, terms ...graph.Term) ([]string, bool) {
	names, exact := o.Reader.Mentioning(kind, terms...)
	more := o.repo.trustedNames(kind, terms...)
	return joinNames(names, more), exact && len(more) == 0
}

// reader keeps in reach what the one below keeps up to date: none of it is about what a run
// writes by itself.
func (o *overlay) reader() graph.Reader {
	if live, ok := o.Reader.(graph.Live); ok {
		return struct {
			*overlay
			graph.Live
		}{o, live}
	}
	return o
}

// readSettings returns config.json over the defaults. A broken one whose last
// good version is not known leaves the defaults, which enforce.
func (r *repo) readSettings() *resources.ConfigSpec {
	o, _ := r.overlay.Get(resources.Key{Kind: resources.Configs, Name: resources.ConfigName})
	config, _ := o.(*resources.Config)
	return r.guarded(config)
}

// Get returns the last good version of an object.
func (r *repo) Get(key resources.Key) (resources.Object, bool) {
	o, _ := r.overlay.Get(key)
	return o, o != nil
}

// Settings are those of the config, as far as they count here, tightened by a trigger.
func (r *repo) Settings() *resources.ConfigSpec { return r.settings }

// reread reads an object's file again, whatever is known of it.
func (r *repo) reread(key resources.Key) {
	r.specs.forget(key)
	o, _ := r.specs.Get(key)
	r.overlay.own[key] = o
}

// resolver resolves paths as the event's agent means them.
func (r *repo) resolver(env environment, cwd string) effects.Resolver {
	if cwd == "" {
		cwd, _ = os.Getwd()
	}
	if r.real == "" {
		r.real = effects.Followed(string(r.Root))
	}
	return effects.Resolver{Root: r.real, Home: env.home(), Claude: env.get("CLAUDE_CONFIG_DIR"), Config: env.get("XDG_CONFIG_HOME"), Cwd: cwd}
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

// claudeFolder is where Claude Code keeps the user's settings, skills and plugins; "" if that is not known.
func (e environment) claudeFolder() string {
	if dir := e.get("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	if home := e.home(); home != "" {
		return filepath.Join(home, ".claude")
	}
	return ""
}

// TrackedFiles lists what git tracks. See admission.View.
func (r *repo) TrackedFiles() []string { return r.Root.Tracked() }

// HasFile reports whether a file or directory matches a glob. See admission.View.
func (r *repo) HasFile(glob string) bool { return r.Root.HasFile(glob) }
