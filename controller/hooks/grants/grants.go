// Package grants stores grants. With a grant, a person allows one call of one
// session that the gate denied. A grant is a file that is removed when it is
// used. Its name is derived from the call, so the gate finds it directly, and
// the process that renames it first owns it.
//
// It imports only the standard library, package resources and the layout,
// because the hook, which runs for each call, links it.
package grants

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

// Dir holds a file for each unused grant.
const Dir = layout.Dir + "/grants"

// ValidFor is the validity period of a grant.
const ValidFor = 15 * time.Minute

const (
	maxFile   = 64 << 10 // maximum size of a grant that is read, in bytes
	maxReason = 200      // characters of a reason
)

// Grant allows one call. Its texts come from a person and may contain anything.
type Grant struct {
	Session    string         `json:"session"`    // the name of its record
	Rule       string         `json:"rule"`       // the rule that the call may break
	CallDigest string         `json:"callDigest"` // digest of the exact call, as in the denial
	Uses       int            `json:"uses"`       // 1
	Expires    resources.Time `json:"expires"`
	Reason     string         `json:"reason,omitempty"` // why the person allows it
	Grantor    string         `json:"by"`               // the person, as person/NAME
	Call       string         `json:"call,omitempty"`   // a description for people, which no decision uses
}

// ID returns the ID of the denials that the grant is for.
func (g *Grant) ID() string {
	return resources.Violation{Session: g.Session, Rule: g.Rule, Digest: g.CallDigest}.ID()
}

// check returns why a grant is invalid at a time, or nil.
func (g *Grant) check(now time.Time) error {
	switch {
	case g.ID() == "":
		return errors.New("it does not name the call, the session and the rule")
	case g.Uses != 1:
		return fmt.Errorf("it is for %d uses, and a grant is for one", g.Uses)
	case g.Grantor == "":
		return errors.New("it does not name its giver")
	case !g.Expires.After(now):
		return errors.New("it has expired")
	case g.Expires.Sub(now) > ValidFor+time.Minute: // grants with a longer life are not written; clocks differ slightly
		return errors.New("it is valid for longer than the maximum")
	}
	return nil
}

// Give writes a grant, replacing an earlier one for the same call, and removes
// expired grants.
func Give(root layout.Root, g Grant, now time.Time) error {
	if reason := []rune(g.Reason); len(reason) > maxReason {
		return fmt.Errorf("the reason is %d characters long; say it in %d", len(reason), maxReason)
	}
	g.Uses, g.Expires = 1, resources.NewTime(now.Add(ValidFor))
	if err := g.check(now); err != nil {
		return fmt.Errorf("grant the call: %w", err)
	}
	data, err := json.MarshalIndent(g, "", "  ")
	if err != nil {
		return fmt.Errorf("grant the call: %w", err)
	}
	Sweep(root, now)
	return root.Replace(Dir+"/"+file(g.ID()), append(data, '\n'))
}

// Find returns the grant for a call that the gate denies, without using it, or
// false if there is no valid one. Another process may still use the grant first.
// If no grant was ever written, it only checks for the folder. With tidy it
// removes invalid files.
func Find(root layout.Root, denied resources.Violation, tidy bool, now time.Time) (Grant, bool) {
	id := denied.ID()
	if id == "" || !hasGrants(root) {
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

// Take returns the grant for a call and removes its file. Only one of several
// concurrent calls of Take gets the grant. It returns false if there is no valid
// grant.
func Take(root layout.Root, denied resources.Violation, now time.Time) (Grant, bool) {
	id := denied.ID()
	if id == "" || !hasGrants(root) {
		return Grant{}, false
	}
	d, err := root.Open(Dir)
	if err != nil {
		return Grant{}, false
	}
	defer d.Close()
	mine := layout.TempName() // the rename makes this the only owner
	if d.Rename(file(id), d, mine) != nil {
		return Grant{}, false
	}
	g, ok := read(d, mine, denied, now)
	_ = d.Remove(mine)
	return g, ok
}

// List returns the valid grants, in the order of their file names.
func List(root layout.Root, now time.Time) (all []Grant) {
	forEachFile(root, func(d *layout.OpenDir, name string) {
		if g, err := load(d, name); err == nil && g.check(now) == nil && file(g.ID()) == name {
			all = append(all, g)
		}
	})
	return all
}

// Stale counts the invalid files in the folder. They remain until the next
// denial.
func Stale(root layout.Root, now time.Time) (count int) {
	forEachInvalid(root, now, func(*layout.OpenDir, string) { count++ })
	return count
}

// Sweep removes the invalid files.
func Sweep(root layout.Root, now time.Time) {
	forEachInvalid(root, now, func(d *layout.OpenDir, name string) { _ = d.Remove(name) })
}

// forEachInvalid calls stale for each file that is not a valid grant. It skips a file
// that is being written, or that was just taken.
func forEachInvalid(root layout.Root, now time.Time, stale func(d *layout.OpenDir, name string)) {
	forEachFile(root, func(d *layout.OpenDir, name string) {
		if g, err := load(d, name); err == nil && g.check(now) == nil && file(g.ID()) == name {
			return
		}
		if info, err := d.Info(name); err != nil || strings.HasPrefix(name, layout.TempPrefix) && now.Sub(info.ModTime) < ValidFor {
			return
		}
		stale(d, name)
	})
}

// forEachFile calls do for the names of all files in the folder.
func forEachFile(root layout.Root, do func(d *layout.OpenDir, name string)) {
	if !hasGrants(root) {
		return
	}
	d, err := root.Open(Dir)
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Names()
	for _, name := range names {
		if name != ".gitignore" { // the layout writes it into such a folder
			do(d, name)
		}
	}
}

// hasGrants reports whether the folder of grants exists.
func hasGrants(root layout.Root) bool {
	_, err := os.Lstat(root.Abs(Dir))
	return err == nil
}

// read returns the grant in a file, and whether it is for that call and valid.
func read(d *layout.OpenDir, name string, denied resources.Violation, now time.Time) (Grant, bool) {
	g, err := load(d, name)
	same := g.Session == denied.Session && g.Rule == denied.Rule && g.CallDigest == denied.Digest
	return g, err == nil && same && g.check(now) == nil
}

// errShared means that the mode of the file gives other users access to the
// grant.
var errShared = errors.New("other users can write it")

// load reads a grant from its file. It returns errShared if other users have access to the file.
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

// file returns the file name of the grant with an ID.
func file(id string) string { return id + ".json" }
