package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// superseding contains the flags of supersede.
type superseding struct {
	writeFlags
	successor, reason string
	mem               *resources.Mem // new mem of --content
	readMem           func() error
	adoption          artifacts.Adoption
}

// Flags of supersede that apply only to mems, and only to artifacts.
var (
	memOnly      = [...]string{"content", "title", "topic", "shelf", "tags", "cue", "path", "symbol", "task-tag", "task", "related-to", "evidence", "confidence", "stale-after", "source", "pinned", "critical"}
	artifactOnly = [...]string{"draft", "covers", "derived-from"}
)

// newSupersede returns the command that replaces an object by another one.
func newSupersede(a *app) *cobra.Command {
	s := superseding{mem: resources.New[*resources.Mem](resources.Mems, "")}
	c := newCommand("supersede", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		keys, err := a.objectKeys(dropRepeatedKind(args))
		if err != nil {
			return err
		}
		if len(keys) > 1 {
			return errors.New("supersede accepts one resource at a time")
		}
		return a.supersede(c, &s, keys[0])
	})
	f := c.Flags()
	s.readMem = a.specFlags(c, s.mem)
	a.derivationFlags(c, &s.adoption)
	f.StringVar(&s.adoption.Name, "name", "", "the name of the new mem or artifact (default: generated)")
	f.StringVar(&s.successor, "by", "", "the replacement: a mem, a document or a decision")
	f.StringVar(&s.reason, "reason", "", "the reason; required for a false path")
	f.Lookup("content").Usage = "for a mem: the text of the new mem"
	f.Lookup("type").Usage = "the type of the new mem or artifact"
	hideFlags(f, "supersedes")
	hideFlags(f, memOnly[1:]...)
	hideFlags(f, artifactOnly[:]...)
	addOldName(c, "by", "with")
	addWriteFlags(c, &s.writeFlags)
	_ = c.RegisterFlagCompletionFunc("by", func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		keys, err := a.objectKeys(dropRepeatedKind(args))
		if err != nil || keys[0].Kind == resources.Artifacts {
			return nil, cobra.ShellCompDirectiveDefault // a document
		}
		return a.namesOf(c.Context(), keys[0].Kind, word, nil), noFiles
	})
	return c
}

// supersede runs idumb supersede for a mem, an artifact or a decision. It refuses flags that do
// not apply to the kind.
func (a *app) supersede(c *cobra.Command, s *superseding, key resources.Key) error {
	switch key.Kind {
	case resources.Mems:
		if err := refuseFlags(c, "requires an artifact", artifactOnly[:]...); err != nil {
			return err
		}
		return a.supersedeMem(c, s, key)
	case resources.Artifacts:
		if err := refuseFlags(c, "requires a mem", memOnly[:]...); err != nil {
			return err
		}
		if s.successor == "" {
			return fmt.Errorf("name the replacement of artifact/%s: --by FILE", key.Name)
		}
		return a.supersedeArtifact(c, s, key)
	case resources.Decisions:
		if err := refuseFlags(c, "does not apply to decisions", append(append(memOnly[:], artifactOnly[:]...), "name", "type", "parent", "reason")...); err != nil {
			return err
		}
		if s.successor == "" {
			return fmt.Errorf("name the replacement of decision/%s: --by DECISION", key.Name)
		}
		return a.supersedeDecision(c, &s.writeFlags, key.Name, s.successor)
	}
	return fmt.Errorf("cannot supersede %s; use a mem, artifact or decision", key)
}

// supersedeMem replaces a mem by the mem of --by, or by a new one with the text of --content.
func (a *app) supersedeMem(c *cobra.Command, s *superseding, key resources.Key) error {
	if err := s.readMem(); err != nil {
		return err
	}
	if (s.successor == "") == (s.mem.Spec.Content == "") {
		return errors.New("name the replacement: either --content TEXT or --by MEM")
	}
	if s.successor != "" {
		if err := refuseFlags(c, "describes a new mem, but --by names an existing mem", append(memOnly[:], "name", "type", "parent")...); err != nil {
			return err
		}
		return a.supersedeBy(c, &s.writeFlags, key, s.successor, s.reason)
	}
	spec := &s.mem.Spec
	s.mem.Metadata.Name, spec.Supersedes, spec.SupersedeReason = s.adoption.Name, key.Name, s.reason
	return a.saveMem(c, &s.writeFlags, s.mem)
}

// supersedeBy replaces a mem by an existing one.
func (a *app) supersedeBy(c *cobra.Command, w *writeFlags, old resources.Key, by, reason string) error {
	key, err := memNamed(by)
	if err != nil {
		return err
	}
	var replaced string
	called := func(r mutate.Result) string { return done("replaces mem/" + replaced)(r) }
	return a.changeEach(c.Context(), w, []resources.Key{key}, called, func(o resources.Object, v *mutate.View) (resources.Object, error) {
		before := v.Mem(old.Name)
		switch {
		case before == nil && !v.Exists(old):
			return nil, apierrors.NotFound(old)
		case before == nil:
			return nil, fmt.Errorf("the file of %s is unreadable; fix it first: idumb doctor", old)
		}
		next, err := mems.Supersede(o.(*resources.Mem), before, reason, v)
		if err == nil {
			replaced = next.Spec.Supersedes
		}
		return next, err
	})
}

// supersedeArtifact replaces an artifact by the artifact of the file in --by, and adopts the file
// if necessary.
func (a *app) supersedeArtifact(c *cobra.Command, s *superseding, key resources.Key) error {
	s.adoption.Type, s.adoption.Parent = s.mem.Spec.Type, s.mem.Spec.Parent
	file := a.adoptionOf(s.successor, &s.adoption)
	return a.adopt(c, &s.writeFlags, "replaces artifact/"+key.Name, func(v artifacts.View) (*resources.Artifact, error) {
		old, err := artifacts.Find(key.Name, v)
		if err != nil {
			return nil, err
		}
		return artifacts.Supersede(old, file, s.reason, v)
	})
}
