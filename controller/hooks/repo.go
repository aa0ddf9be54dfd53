package hooks

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/effects"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// Backend is the data and functions of the controller, for answers inside the
// controller. With the zero Backend a run reads the files, and uses the last
// written packs.
type Backend struct {
	Reader   graph.Reader                     // the cache, in sync with the files; nil to read the files
	Contexts ContextSource                    // packs the context; may be nil
	Code     Code                             // facts about the code; may be nil
	Specs    *Specs                           // recent changes to plans and tasks; may be nil
	Carrier  Carrier                          // writes specs; if nil, they are queued
	Project  func(Root) resources.TodoProject // facts for tasks of to-do lists; if nil, the tasks have neither paths nor evidence
	trusts   *trust.Last                      // cached trust records for later runs; may be nil
}

// Carrier executes a request of a hook.
type Carrier func(ctx context.Context, w requests.Request) error

// The evidence rule checks whether a file exists.
var _ interface {
	SourceFile(path string) (time.Time, string, bool)
} = (*repo)(nil)

// repo is the view of a repository in one run of the hook: the graph of its
// objects, and further data of the run. A decision uses one version of each
// object.
type repo struct {
	*graph.Graph
	folder
	real       string // the root with its links resolved; computed on demand
	specs      *files // bypasses the reader
	overlay    *overlay
	changed    *Specs                           // Backend.Specs
	carrier    Carrier                          // Backend.Carrier
	project    func(Root) resources.TodoProject // Backend.Project
	readsFiles bool                             // without a controller: the files are read
	contexts   ContextSource
	code       Code // may be nil
	env        environment
	now        time.Time
	settings   *resources.ConfigSpec
	examined   bool // whether trust and news are determined
	trust      trust.State
	news       []string                    // governing files that differ from the trusted ones
	trusts     *trust.Last                 // Backend.trusts
	record     *trust.Record               // nil before it is read
	leases     map[string]*resources.Lease // by task; nil for a task without a lease
	leased     func(*resources.Task) bool  // whether a task has a lease; nil before the leases are listed
}

// open opens a repository and reads its settings.
func (k Backend) open(root Root, env environment, now time.Time) *repo {
	r := &repo{folder: folder{Root: root}, trusts: cmp.Or(k.trusts, new(trust.Last)), env: env, now: now, contexts: k.Contexts, code: k.Code, changed: k.Specs, carrier: k.Carrier, project: k.Project, readsFiles: k.Reader == nil, leases: map[string]*resources.Lease{}}
	r.specs = readFiles(root)
	if k.Reader == nil {
		k.Reader = r.specs
	}
	if r.contexts == nil {
		r.contexts = lastPacks{r.folder}
	}
	r.overlay = &overlay{Reader: k.Reader, overrides: map[resources.Key]resources.Object{}, repo: r}
	// If config.json is invalid and has no last valid version, the defaults apply, with mode enforce.
	o, _ := r.overlay.Get(resources.Key{Kind: resources.Configs, Name: resources.ConfigName})
	config, _ := o.(*resources.Config)
	r.settings = r.guarded(config)
	r.settings.Mode = r.override(r.settings.Mode)
	r.Graph = graph.New(r.overlay.reader(), r.settings, now)
	return r
}

// overlay is a reader with additional objects that a run has written or
// assumes. It returns the effective versions of governing objects.
type overlay struct {
	graph.Reader
	overrides map[resources.Key]resources.Object // nil for a removed object
	repo      *repo                              // determines which governing objects the person trusts
}

// Get returns the object of the overlay, or of the reader.
func (o *overlay) Get(key resources.Key) (resources.Object, graph.State) {
	switch own, laid := o.overrides[key]; {
	case laid && own == nil:
		return nil, graph.Missing
	case laid:
		return own, graph.Good
	}
	object, state := o.Reader.Get(key)
	if governs(key.Kind) {
		return o.repo.effectiveVersion(key, object, state)
	}
	return object, state
}

// Names returns the names of the reader and of trusted governing objects.
func (o *overlay) Names(kind string) []string {
	return joinNames(o.Reader.Names(kind), o.repo.trustedNames(kind))
}

// Mentioning returns the names of the reader and of trusted governing objects.
func (o *overlay) Mentioning(kind string, terms ...graph.Term) ([]string, bool) {
	names, exact := o.Reader.Mentioning(kind, terms...)
	more := o.repo.trustedNames(kind, terms...)
	return joinNames(names, more), exact && len(more) == 0
}

// reader returns the overlay with the methods of graph.Live if the reader below
// has them. The objects of the overlay do not affect these methods.
func (o *overlay) reader() graph.Reader {
	if live, ok := o.Reader.(graph.Live); ok {
		return struct {
			*overlay
			graph.Live
		}{o, live}
	}
	return o
}

// Get returns the last valid version of an object.
func (r *repo) Get(key resources.Key) (resources.Object, bool) {
	o, _ := r.overlay.Get(key)
	return o, o != nil
}

// Settings returns the effective settings, including the restrictions of
// triggers.
func (r *repo) Settings() *resources.ConfigSpec { return r.settings }

// reread reads an object's file again, bypassing all caches.
func (r *repo) reread(key resources.Key) {
	delete(r.specs.objects, key)
	if i := r.specs.lists[key.Kind].find(key.Name); i >= 0 {
		r.specs.lists[key.Kind].texts[i] = nil
	}
	o, _ := r.specs.Get(key)
	r.overlay.overrides[key] = o
}

// resolver returns a resolver for paths of the event's agent.
func (r *repo) resolver(env environment, cwd string) effects.Resolver {
	if cwd == "" {
		cwd, _ = os.Getwd()
	}
	if r.real == "" {
		r.real = effects.ResolveLinks(string(r.Root))
	}
	return effects.Resolver{Root: r.real, Home: env.home(), Claude: env.get("CLAUDE_CONFIG_DIR"), Config: env.get("XDG_CONFIG_HOME"), Cwd: cwd}
}

// environment is a list of NAME=value in the format of os.Environ.
type environment []string

// get returns the value of a variable. It returns "" if it is not set. The last one counts if
// there are several.
func (e environment) get(name string) string {
	for i := len(e) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(e[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// home returns the user's home directory. It returns "" if the environment names none.
func (e environment) home() string {
	if home := e.get("HOME"); home != "" {
		return home
	}
	return e.get("USERPROFILE")
}

// claudeFolder returns the folder of Claude Code with the user's settings,
// skills and plugins, or an empty text.
func (e environment) claudeFolder() string {
	if dir := e.get("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	if home := e.home(); home != "" {
		return filepath.Join(home, ".claude")
	}
	return ""
}

// TrackedFiles lists the files that git tracks. See admission.View.
func (r *repo) TrackedFiles() []string { return r.Root.Tracked() }

// HasFile reports whether a file or directory matches a glob. See
// admission.View.
func (r *repo) HasFile(glob string) bool { return r.Root.HasFile(glob) }
