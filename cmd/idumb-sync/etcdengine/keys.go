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

// Root is where everything of iDumb's stands in an etcd, a folder for each team below it.
const Root = "/idumb/"

// claims is where the protocol has the claims.
const claims = "claims/"

// folders are what the protocol calls the folders of a repository, and what the keys say.
var folders = [...]struct{ long, short string }{
	{claims, "c/"}, {engine.Machines, "m/"}, {engine.State + "o/", "o/"}, {engine.State + "a/", "a/"}, {engine.State + "n/", "n/"},
}

// versionKey says with which protocol a repository's keys are written.
const versionKey = "v"

// word is what the name of a team, or of a repository in it, may be: it is a part of each key, and
// rights are given by what keys begin with.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$`) })

// Prefix is what all keys of a team's repository begin with.
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

// key is where an item stands in etcd.
func (e *Engine) key(of string) string {
	for _, f := range folders {
		if rest, found := strings.CutPrefix(of, f.long); found {
			return e.prefix + f.short + rest
		}
	}
	return e.prefix + of
}

// of is the protocol's name of a key; false for what is no item.
func (e *Engine) of(key string) (string, bool) {
	name, ours := strings.CutPrefix(key, e.prefix)
	for _, f := range folders {
		if rest, found := strings.CutPrefix(name, f.short); found {
			return f.long + rest, ours
		}
	}
	return name, ours && name != versionKey && name != turnKey && !strings.HasPrefix(name, turnsPrefix)
}

// rangeOf is what keys begin with so that no item is missed whose name begins so.
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

// sorted are the items whose names begin so, by name.
func sorted(items []engine.Item, prefix string) []engine.Item {
	items = slices.DeleteFunc(items, func(i engine.Item) bool { return !strings.HasPrefix(i.Key, prefix) })
	slices.SortFunc(items, func(a, b engine.Item) int { return cmp.Compare(a.Key, b.Key) })
	return items
}
