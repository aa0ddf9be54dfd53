// Package gitengine implements an engine with refs on the git remote of a team.
// An item is a blob with a ref below refs/idumb, or a file in the tree of the
// commit at refs/idumb/state. A push with a lease is the compare-and-swap
// operation. Git runs without the repository's hooks, without prompts and with
// a timeout of 20 seconds. It leaves no ref in the clone.
package gitengine

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/idumb-dev/idumb/controller/gitcommand"
	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Refs is the ref prefix of the items on the remote.
const Refs = "refs/idumb/"

// maxListings is the maximum number of listings if refs move while their blobs are
// fetched.
const maxListings = 5

// Engine accesses a team's remote from one clone.
type Engine struct {
	Dir    string // directory in the clone
	Remote string // URL or path of a repository
	Cache  string // directory for fetched state and the last seen commit; empty to use the clone's objects and keep no commit

	ssh sync.Once
	own bool // the user has set an ssh command

	acceptedVersion atomic.Pointer[string] // accepted version item

	store   sync.Once
	objects []string // see separateStore
}

// List returns the items with a key prefix. See engine.Engine.
func (e *Engine) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, _, err := e.ListAt(ctx, prefix)
	return items, err
}

// ListAt lists the items at the time of the remote's list of refs. The revision
// is the commit of the state, or "". See engine.Strict.
func (e *Engine) ListAt(ctx context.Context, prefix string) (items []engine.Item, at string, err error) {
	items, tip, err := e.listSince(ctx, prefix, "")
	if err != nil || !ofState(prefix) {
		return items, "", err
	}
	state, err := e.state(ctx, tip, prefix)
	return append(items, state...), tip, err
}

// listSince lists the items with refs and the commit of the state. It fetches them,
// except a commit equal to known.
func (e *Engine) listSince(ctx context.Context, prefix, known string) (items []engine.Item, tip string, err error) {
	for range maxListings {
		items, tip, err := e.refs(ctx, prefix)
		if err != nil {
			return nil, "", err
		}
		unseen := tip
		if tip == known {
			unseen = ""
		}
		moved, err := e.fetch(ctx, items, unseen)
		if err != nil {
			return nil, "", err
		}
		if !moved {
			items, err = e.values(ctx, items, stripRandom)
			return items, tip, err
		}
	}
	return nil, "", fmt.Errorf("the items of %s change faster than they can be read; try again", e.Remote)
}

// refs lists the items with refs, without values, and the commit of the state.
func (e *Engine) refs(ctx context.Context, prefix string) (items []engine.Item, tip string, err error) {
	args := []string{"ls-remote", "--quiet", "--refs", "--", e.Remote, Refs + versionRef}
	if !strings.HasPrefix(prefix, statePrefix) {
		args = append(args, Refs+prefix+"*")
	}
	if ofState(prefix) {
		args = append(args, Refs+stateRef)
	}
	o, err := e.git(ctx, nil, args...)
	if err != nil {
		return nil, "", err
	}
	version := ""
	for line := range strings.Lines(o.text) {
		rev, ref, _ := strings.Cut(strings.TrimSpace(line), "\t")
		switch key, ours := strings.CutPrefix(ref, Refs); {
		case ours && key == versionRef:
			version = rev
		case ours && key == stateRef:
			tip = rev
		case ours && strings.HasPrefix(key, prefix):
			items = append(items, engine.Item{Key: key, Rev: rev})
		}
	}
	slices.SortFunc(items, func(a, b engine.Item) int { return cmp.Compare(a.Key, b.Key) })
	return items, tip, e.checkVersion(ctx, version)
}

// fetch fetches missing blobs and the commit. It reports whether a ref moved in
// the meantime. It creates no refs, so git's garbage collection removes the
// objects later.
func (e *Engine) fetch(ctx context.Context, items []engine.Item, tip string) (moved bool, err error) {
	if tip != "" {
		items = append(slices.Clone(items), engine.Item{Key: stateRef, Rev: tip})
	}
	missing, err := e.missing(ctx, items)
	if err != nil || len(missing) == 0 {
		return false, err
	}
	args := []string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-gc"}
	if last := e.lastSeen(); last != "" && e.has(ctx, last) {
		args = append(args, "--negotiation-tip="+last)
	}
	args = append(args, "--stdin", "--", e.Remote)
	var refs strings.Builder
	for _, item := range missing {
		fmt.Fprintln(&refs, Refs+item.Key)
	}
	o, err := e.git(ctx, []byte(refs.String()), args...)
	if err != nil {
		if strings.Contains(o.err, "couldn't find remote ref") {
			return true, nil
		}
		return false, err
	}
	missing, err = e.missing(ctx, missing)
	return len(missing) > 0, err
}

// missing returns the items with blobs that are not in the clone.
func (e *Engine) missing(ctx context.Context, items []engine.Item) ([]engine.Item, error) {
	if len(items) == 0 {
		return nil, nil
	}
	o, err := e.git(ctx, revisions(items), "cat-file", "--batch-check")
	if err != nil {
		return nil, err
	}
	var missing []engine.Item
	lines := strings.Split(strings.TrimSpace(o.text), "\n")
	for i, item := range items {
		if i >= len(lines) || strings.HasSuffix(lines[i], " missing") {
			missing = append(missing, item)
		}
	}
	return missing, nil
}

// revisions returns the revisions of items, one per line, as the input of git
// cat-file.
func revisions(items []engine.Item) []byte {
	var in strings.Builder
	for _, item := range items {
		fmt.Fprintln(&in, item.Rev)
	}
	return []byte(in.String())
}

// stripRandom removes the random prefix that blob adds to a value. It returns
// false for a value without one.
func stripRandom(value []byte) ([]byte, bool) {
	_, value, ours := bytes.Cut(value, []byte{'\n'})
	return value, ours
}

// values reads the values of items, decoded by open. It omits objects that are
// not blobs or too long.
func (e *Engine) values(ctx context.Context, items []engine.Item, open func([]byte) ([]byte, bool)) ([]engine.Item, error) {
	if len(items) == 0 {
		return nil, nil
	}
	o, err := e.git(ctx, revisions(items), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	var found []engine.Item
	for r, i := bufio.NewReader(strings.NewReader(o.text)), 0; i < len(items); i++ {
		kind, value, err := object(r)
		if err != nil {
			return nil, fmt.Errorf("git cat-file of %s%s: %w", Refs, items[i].Key, err)
		}
		if value, ours := open(value); ours && kind == "blob" && len(value) <= engine.MaxValue {
			items[i].Value = value
			found = append(found, items[i])
		}
	}
	return found, nil
}

// object reads one object in the format of git-cat-file(1) with --batch.
func object(r *bufio.Reader) (kind string, value []byte, err error) {
	header, err := r.ReadString('\n')
	if err != nil {
		return "", nil, err
	}
	words := strings.Fields(header)
	if len(words) != 3 {
		return "", nil, errors.New(strings.TrimSpace(header))
	}
	size, err := strconv.Atoi(words[2])
	if err != nil || size < 0 {
		return "", nil, errors.New(strings.TrimSpace(header))
	}
	value = make([]byte, size)
	if _, err = io.ReadFull(r, value); err == nil {
		_, err = r.Discard(1)
	}
	return words[1], value, err
}

// looseLimit is the number of objects in one of the 256 directories of loose
// objects from which they are packed. Git uses the same estimate; it means
// about 2,000 files.
const looseLimit = 8

// tidy packs the objects of the state and removes all other objects of the
// separate store, which is a cache. It ignores errors.
func (e *Engine) tidy(ctx context.Context, tip string) {
	own := filepath.Join(e.Cache, "objects")
	if loose, err := os.ReadDir(filepath.Join(own, "17")); err != nil || len(loose) < looseLimit {
		return
	}
	packs := filepath.Join(own, "pack")
	if os.MkdirAll(packs, 0o700) != nil {
		return
	}
	o, err := e.git(ctx, []byte(tip+"\n"), "pack-objects", "--quiet", "--revs", filepath.Join(packs, "pack"))
	name := strings.TrimSpace(o.text)
	if err != nil || name == "" {
		return
	}
	files, err := os.ReadDir(packs)
	for _, f := range files {
		if err == nil && !strings.Contains(f.Name(), name) {
			os.Remove(filepath.Join(packs, f.Name()))
		}
	}
	_, _ = e.git(ctx, nil, "prune-packed", "--quiet")
}

// versionRef is the ref with the version item. A later iDumb may write it to
// exclude older readers. This build never writes it, because it uses the first
// protocol. The blob has the format of Txn.
const versionRef = "v"

// checkVersion returns an error if the remote's version item excludes this build.
func (e *Engine) checkVersion(ctx context.Context, rev string) error {
	if known := e.acceptedVersion.Load(); rev == "" || known != nil && *known == rev {
		return nil
	}
	at := []engine.Item{{Key: versionRef, Rev: rev}}
	moved, err := e.fetch(ctx, at, "")
	if err == nil && moved {
		err = errors.New("the version item changed during the fetch; try again")
	}
	if err != nil {
		return err
	}
	found, err := e.values(ctx, at, stripRandom)
	if err != nil {
		return err
	}
	why := errors.New("the version item is invalid")
	if len(found) > 0 {
		why = engine.CheckVersion(found[0].Value)
	}
	if why != nil {
		return &engine.PersonError{Err: fmt.Errorf("%s%s of %s: %w", Refs, versionRef, e.Remote, why), Step: "install a newer iDumb"}
	}
	e.acceptedVersion.Store(&rev)
	return nil
}

// publicTimeout is the timeout of an anonymous request.
const publicTimeout = 10 * time.Second

// Public reports whether a remote can be read without credentials. It checks an
// ssh remote over https, because most hosting services offer both. An
// unreachable remote counts as not public.
func Public(ctx context.Context, remote string) bool {
	address := anonymousURL(remote)
	if address == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, publicTimeout)
	defer cancel()
	c := gitcommand.Anonymous(ctx, "-c", "http.followRedirects=true", "ls-remote", "--quiet", "--", address, "HEAD")
	c.WaitDelay = time.Second
	return c.Run() == nil
}

// scp matches a remote in scp syntax: user@host:path. See git-clone(1), GIT
// URLS.
var scp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[^@/:]+@)?([^@/:\[\]]+\.[^@/:\[\]]+):(.+)$`) })

// anonymousURL returns the URL for anonymous access to a remote, or "" if there is
// none.
func anonymousURL(remote string) string {
	if u, err := url.Parse(remote); err == nil && u.Host != "" {
		switch u.Scheme {
		case "http", "https", "git":
			u.User = nil
			return u.String()
		case "ssh", "git+ssh", "ssh+git":
			return "https://" + u.Hostname() + "/" + strings.TrimPrefix(u.Path, "/")
		}
		return ""
	}
	if m := scp().FindStringSubmatch(remote); m != nil {
		return "https://" + m[1] + "/" + strings.TrimPrefix(m[2], "/")
	}
	return ""
}
