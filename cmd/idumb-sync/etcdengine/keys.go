package etcdengine

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Root is the key prefix of iDumb in etcd, with a directory for each team.
const Root = "/idumb/"

// claims is the protocol's key prefix of claims.
const claims = "claims/"

// folders maps the protocol's key prefixes to the short ones in etcd.
var folders = [...]struct{ long, short string }{
	{claims, "c/"}, {engine.Machines, "m/"}, {engine.State + "o/", "o/"}, {engine.State + "a/", "a/"}, {engine.State + "n/", "n/"},
}

// versionKey is the key of the protocol version of a repository.
const versionKey = "v"

// word matches valid names of a team or a repository. They are part of each
// key, and permissions are granted by key prefix.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$`) })

// Prefix returns the key prefix of a team's repository.
func Prefix(team, repo string) (string, error) {
	var wrong []error
	for what, name := range map[string]string{"team": team, "repo": repo} {
		if !word().MatchString(name) || strings.Contains(name, "..") {
			wrong = append(wrong, fmt.Errorf("%s: %q is no name: lower-case letters, digits, '-' and '.', 63 at most", what, name))
		}
	}
	slices.SortFunc(wrong, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return Root + team + "/" + repo + "/", errors.Join(wrong...)
}

// key returns the etcd key of an item.
func (e *Engine) key(of string) string {
	for _, f := range folders {
		if rest, found := strings.CutPrefix(of, f.long); found {
			return e.prefix + f.short + rest
		}
	}
	return e.prefix + of
}

// protocolKey returns the protocol's key of an etcd key. It returns false if the key is
// not an item.
func (e *Engine) protocolKey(key string) (string, bool) {
	name, ours := strings.CutPrefix(key, e.prefix)
	for _, f := range folders {
		if rest, found := strings.CutPrefix(name, f.short); found {
			return f.long + rest, ours
		}
	}
	return name, ours && name != versionKey && name != turnKey && !strings.HasPrefix(name, turnsPrefix)
}

// rangeOf returns the etcd key prefix that covers all items with a protocol key
// prefix.
func (e *Engine) rangeOf(prefix string) string {
	if !strings.Contains(prefix, "/") {
		return e.prefix
	}
	for _, f := range folders {
		if prefix != f.long && strings.HasPrefix(f.long, prefix) {
			return e.prefix
		}
	}
	return e.key(prefix)
}

// sorted returns the items with a key prefix, sorted by key.
func sorted(items []engine.Item, prefix string) []engine.Item {
	items = slices.DeleteFunc(items, func(i engine.Item) bool { return !strings.HasPrefix(i.Key, prefix) })
	slices.SortFunc(items, func(a, b engine.Item) int { return cmp.Compare(a.Key, b.Key) })
	return items
}
