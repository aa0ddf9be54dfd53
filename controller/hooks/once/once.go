// Package once keeps grants: by one, a person lets one call of one session pass that the gate denied
// it. A grant is a file that is gone once it was used. Its name follows from what it is for, so that
// the gate looks for one, and whoever renames it first has it.
//
// It links nothing but the standard library and the layout, so that the hook can use it.
package once

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Dir holds a file for each grant that nobody used yet.
const Dir = layout.Dir + "/grants"

// Life is how long a grant may be used.
const Life = 15 * time.Minute

const (
	maxFile   = 64 << 10 // bytes of a grant that is read
	maxReason = 200      // characters of a reason
)

// Grant lets one call pass. Its texts are a person's, and may hold anything.
type Grant struct {
	Session    string         `json:"session"`    // by the name of its record
	Rule       string         `json:"rule"`       // that the call passes
	CallDigest string         `json:"callDigest"` // of the exact call, as the denial has it
	Uses       int            `json:"uses"`       // 1
	Expires    resources.Time `json:"expires"`
	Reason     string         `json:"reason,omitempty"` // why the person allows it
	By         string         `json:"by"`               // who does: person/NAME
	Call       string         `json:"call,omitempty"`   // what it does, for people: nothing is judged by it
}

// ID names a grant as it names the denials that it is for.
func (g *Grant) ID() string {
	return resources.Violation{Session: g.Session, Rule: g.Rule, Digest: g.CallDigest}.ID()
}

// check says what is wrong with a grant; nil if it may be used at that moment.
func (g *Grant) check(now time.Time) error {
	switch {
	case g.ID() == "":
		return errors.New("it does not say which call of which session passes which rule")
	case g.Uses != 1:
		return fmt.Errorf("it is for %d uses, and a grant is for one", g.Uses)
	case g.By == "":
		return errors.New("it does not say who gave it")
	case !g.Expires.After(now):
		return errors.New("it has expired")
	case g.Expires.Sub(now) > Life+time.Minute: // nobody gives one for longer; clocks differ a little
		return errors.New("it would be good for longer than any grant is")
	}
	return nil
}

// Give writes a grant, over an earlier one for the same call, and removes those that have expired.
func Give(root layout.Root, g Grant, now time.Time) error {
	if reason := []rune(g.Reason); len(reason) > maxReason {
		return fmt.Errorf("the reason is %d characters long; say it in %d", len(reason), maxReason)
	}
	g.Uses, g.Expires = 1, resources.NewTime(now.Add(Life))
	if err := g.check(now); err != nil {
		return fmt.Errorf("nothing is allowed: %w", err)
	}
	data, err := json.MarshalIndent(g, "", "  ")
	if err != nil {
		return fmt.Errorf("nothing is allowed: %w", err)
	}
	Sweep(root, now)
	return root.Replace(Dir+"/"+file(g.ID()), append(data, '\n'))
}

// Find returns the grant for a call that the gate denies, which whoever calls may not have in the end.
// Where no grant was ever given it costs one look. With tidy, what is no grant any more is removed.
func Find(root layout.Root, denied resources.Violation, tidy bool, now time.Time) (Grant, bool) {
	id := denied.ID()
	if id == "" || !given(root) {
		return Grant{}, false
	}
	if tidy {
		Sweep(root, now)
	}
	d, err := root.Open(Dir)
	if err != nil {
		return Grant{}, false
	}
	defer d.Close()
	return read(d, file(id), denied, now)
}

// Take uses the grant for a call, of which it may be the only one: of several that ask at once, one is
// told that it has it.
func Take(root layout.Root, denied resources.Violation, now time.Time) (Grant, bool) {
	id := denied.ID()
	if id == "" || !given(root) {
		return Grant{}, false
	}
	d, err := root.Open(Dir)
	if err != nil {
		return Grant{}, false
	}
	defer d.Close()
	mine := layout.TempName() // whoever renames it has it
	if d.Rename(file(id), d, mine) != nil {
		return Grant{}, false
	}
	g, ok := read(d, mine, denied, now)
	_ = d.Remove(mine)
	return g, ok
}

// List returns the grants that may still be used, by the names of their files.
func List(root layout.Root, now time.Time) (all []Grant) {
	each(root, func(d *layout.OpenDir, name string) {
		if g, err := load(d, name); err == nil && g.check(now) == nil && file(g.ID()) == name {
			all = append(all, g)
		}
	})
	return all
}

// Stale counts the files that are no grant that may be used: nobody was denied anything since they expired.
func Stale(root layout.Root, now time.Time) (count int) {
	sift(root, now, func(*layout.OpenDir, string) { count++ })
	return count
}

// Sweep removes them.
func Sweep(root layout.Root, now time.Time) {
	sift(root, now, func(d *layout.OpenDir, name string) { _ = d.Remove(name) })
}

// sift hands over the files that are no grant, or none any more. One that somebody writes right now, or
// has just taken, is left alone.
func sift(root layout.Root, now time.Time, stale func(d *layout.OpenDir, name string)) {
	each(root, func(d *layout.OpenDir, name string) {
		g, err := load(d, name)
		if err == nil && g.check(now) == nil && file(g.ID()) == name {
			return
		}
		if info, err := d.Info(name); err != nil || strings.HasPrefix(name, layout.TempPrefix) && now.Sub(info.ModTime) < Life {
			return
		}
		stale(d, name)
	})
}

// each hands over the names of all files in the folder.
func each(root layout.Root, do func(d *layout.OpenDir, name string)) {
	if !given(root) {
		return
	}
	d, err := root.Open(Dir)
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Names()
	for _, name := range names {
		if name != ".gitignore" { // which the layout puts into such a folder
			do(d, name)
		}
	}
}

// given reports whether there is a folder of grants.
func given(root layout.Root) bool {
	_, err := os.Lstat(root.Abs(Dir))
	return err == nil
}

// read returns the grant in a file, if it is for that very call and may be used.
func read(d *layout.OpenDir, name string, denied resources.Violation, now time.Time) (Grant, bool) {
	g, err := load(d, name)
	same := g.Session == denied.Session && g.Rule == denied.Rule && g.CallDigest == denied.Digest
	return g, err == nil && same && g.check(now) == nil
}

// errShared says that others may write a grant, or have.
var errShared = errors.New("it is not its owner's alone")

func load(d *layout.OpenDir, name string) (g Grant, err error) {
	data, info, err := d.Read(name, maxFile)
	if err != nil {
		return g, err
	}
	if runtime.GOOS != "windows" && info.Mode.Perm()&^fs.FileMode(0o600) != 0 {
		return g, errShared
	}
	return g, json.Unmarshal(data, &g)
}

func file(id string) string { return id + ".json" }
