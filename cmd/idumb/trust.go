package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/scaffold"
	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// trustStore returns the store of the user's trust.
func trustStore() trust.Store { return trust.StoreOf(os.Getenv) }

func newTrust(a *app) *cobra.Command {
	var w writeFlags
	var revoke bool
	c := newCommand("trust", cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		if err := w.check(); err != nil {
			return err
		}
		if revoke {
			return a.untrust()
		}
		return a.trust(&w)
	})
	c.Flags().BoolVar(&revoke, "revoke", false, "end the trust")
	addDryRun(c, &w)
	c.MarkFlagsMutuallyExclusive("revoke", "dry-run")
	return c
}

// trust runs idumb trust: it prints the governing files that are new or changed, and records that
// the user trusts the repository.
func (a *app) trust(w *writeFlags) error {
	root, err := a.root()
	if err == nil {
		err = userOnly(root, "trust")
	}
	if err != nil {
		return err
	}
	store := trustStore()
	record := store.Load(root)
	if record.Granted() {
		a.outf("%s is trusted: it is in a directory of %s\n", root, trust.Variable)
		return nil
	}
	state, news := record.Examine()
	told := slices.DeleteFunc(slices.Clone(news), shippedIn(root))
	for _, file := range told {
		a.outf("%-8s %s\n", changeOf(root, record, file), terminal.EscapeLine(file))
	}
	a.tellSentences(root, told)
	if same := len(news) - len(told); same > 0 {
		a.outf("%d files are unchanged since idumb init\n", same)
	}
	if w.dry() {
		a.outf("%s %s\n", root, stateText(state))
		return nil
	}
	if state == trust.Trusted {
		a.outf("%s is already trusted\n", root)
		return nil
	}
	if err := store.Trust(root); err != nil {
		return err
	}
	a.outf("%s is trusted\n", root)
	return nil
}

// shippedIn returns a function that reports whether a file is exactly a file of idumb init. The
// user need not review such files.
func shippedIn(root layout.Root) func(file string) bool {
	governing := map[string]resources.Key{}
	for _, key := range trust.Governing(root) {
		governing[layout.Path(key)] = key
	}
	var shipped []scaffold.Entry
	for _, set := range scaffold.RoleSets() {
		entries, err := scaffold.Entries(set)
		if err != nil {
			return func(string) bool { return false }
		}
		shipped = append(shipped, entries...)
	}
	return func(file string) bool {
		key, found := governing[file]
		if !found {
			return false
		}
		data, _, err := root.ReadSpec(key)
		return err == nil && slices.ContainsFunc(shipped, func(e scaffold.Entry) bool {
			return e.Mode.IsRegular() && layout.Dir+"/"+e.Path == file && bytes.Equal(e.Data, data)
		})
	}
}

// changeOf describes how a file differs from the trusted version.
func changeOf(root layout.Root, r trust.Record, file string) string {
	switch _, err := os.Lstat(root.Abs(file)); {
	case errors.Is(err, fs.ErrNotExist):
		return "removed"
	case r.Has(file):
		return "changed"
	}
	return "new"
}

// stateText describes a state of trust, for idumb trust --dry-run.
func stateText(s trust.State) string {
	switch s {
	case trust.Trusted:
		return "is trusted"
	case trust.Changed:
		return "was trusted and has changed since (dry run)"
	}
	return "is not trusted (dry run)"
}

// tellSentences prints the sentences for agents in new or changed files.
func (a *app) tellSentences(root layout.Root, news []string) {
	for _, key := range trust.Governing(root) {
		if !slices.Contains(news, layout.Path(key)) {
			continue
		}
		for _, s := range sentencesOf(root, key) {
			a.outf("  %s: %s\n", key, terminal.EscapeLine(s))
		}
	}
}

// sentencesOf returns the texts of an object that agents may read: rules, facts, reasons, messages.
// These are all strings with several words, because names and patterns have one.
func sentencesOf(root layout.Root, key resources.Key) []string {
	data, err := json.Marshal(root.Object(key, root.Locate(key)))
	var object struct{ Spec any }
	if err != nil || json.Unmarshal(data, &object) != nil {
		return nil
	}
	return sentencesIn(object.Spec)
}

// sentencesIn returns the strings of several words in a value, sorted by the names of its members.
func sentencesIn(value any) (all []string) {
	switch v := value.(type) {
	case string:
		if text := strings.TrimSpace(v); len(strings.Fields(text)) > 1 {
			return []string{text}
		}
	case []any:
		for _, item := range v {
			all = append(all, sentencesIn(item)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, sentencesIn(v[name])...)
		}
	}
	return all
}

// untrust runs idumb trust --revoke: it deletes the record of the user's trust.
func (a *app) untrust() error {
	root, err := a.root()
	if err == nil {
		err = userOnly(root, "trust --revoke")
	}
	if err != nil {
		return err
	}
	was, err := trustStore().Untrust(root)
	switch {
	case err != nil:
		return err
	case was:
		a.outf("%s is no longer trusted\n", root)
	default:
		a.outf("%s was not trusted\n", root)
	}
	return nil
}

// userOnly returns an error if an agent runs a command that decides how agents are governed. An
// agent is detected by its process, so that no alias or link can hide it.
func userOnly(root layout.Root, verb string) error {
	if _, found := callers.AgentOf(root, os.Getpid()); found {
		return apierrors.Refuse(admission.Persons, "only a user can run `idumb "+verb+"`", "it changes the governance of agents", "tell the user what should change and why")
	}
	return nil
}

// keepTrust returns a function that keeps the user's trust after a change by this command. It only
// warns about errors, because the change was made. It also calls a.afterWrite.
func (a *app) keepTrust(root layout.Root) func(resources.Key, []byte) {
	return func(key resources.Key, before []byte) {
		if err := trustStore().Extend(root, key, before); err != nil {
			a.errf("Warning: %v\n", err)
		}
		if a.afterWrite != nil {
			a.afterWrite(key, before)
		}
	}
}

// trustOwn trusts the files that init created, if the repository had no .idumb before or it was
// trusted. An existing untrusted .idumb remains untrusted.
func (a *app) trustOwn(root layout.Root, before trust.State, there bool) {
	if there && before != trust.Trusted {
		a.errf("%s existed before and is not trusted: review it, then run idumb trust\n", layout.Dir)
		return
	}
	if err := trustStore().Trust(root); err != nil {
		a.errf("Warning: agents will not receive texts of .idumb: %v\n", err)
	}
}
