package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

func newComment(a *app) *cobra.Command {
	var w writeFlags
	var local bool
	comment := resources.New[*resources.Comment](resources.Comments, "")
	spec := &comment.Spec
	c := newCommand("comment", cobra.ArbitraryArgs, nil)
	f := c.Flags()
	f.StringVar(&spec.Type, "type", "", "instruction, question, answer or note (default: instruction for users, note for agents)")
	f.BoolVar(&spec.Hold, "hold", false, "deny writes for the task until the comment is answered or resolved; users only")
	f.BoolVar(&local, "private", false, "keep the comment out of git")
	f.StringVar(&spec.InReplyTo, "answer", "", "the comment to answer")
	f.StringArrayVar(&spec.Resolves, "resolve", nil, "a comment to resolve; repeatable")
	f.StringVar(&spec.Supersedes, "supersedes", "", "the comment to replace")
	addWriteFlags(c, &w)
	c.ValidArgsFunction = a.completeObjects(completeNames)
	for _, flag := range [...]string{"answer", "resolve", "supersedes"} {
		a.completeFlagNames(c, flag, resources.Comments)
	}
	completeFlag(c, "type", resources.CommentInstruction, resources.CommentQuestion, resources.CommentAnswer, resources.CommentNote)
	c.RunE = func(c *cobra.Command, args []string) error { return a.comment(c, &w, comment, local, args) }
	return c
}

// comment adds a comment to the object in the arguments, or to the object of another comment.
func (a *app) comment(c *cobra.Command, w *writeFlags, o *resources.Comment, local bool, args []string) error {
	if err := a.readRemark(o, args); err != nil {
		return err
	}
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	if o.Spec.Type == "" {
		o.Spec.Type = defaultType(&o.Spec, repo.Author)
	}
	result, err := repo.Comment(c.Context(), o, local)
	if err != nil {
		return err
	}
	return a.echo(w, result.New, mutate.Created)
}

// readRemark parses the object, unless flags select it, and the text.
func (a *app) readRemark(o *resources.Comment, args []string) error {
	spec := &o.Spec
	refers := spec.InReplyTo != "" || spec.Supersedes != "" || len(spec.Resolves) > 0
	if !refers && len(args) == 0 {
		return errors.New(`name a resource and a text: idumb comment task/NAME "..."`)
	}
	if !refers {
		if !strings.Contains(args[0], "/") {
			args[0] = "task/" + args[0]
		}
		key, err := parseKey(args[0])
		if err != nil {
			return fmt.Errorf(`%w; name the resource first: idumb comment task/NAME "..."`, err)
		}
		kind, _ := resources.KindOf(key.Kind)
		spec.About, args = kind.Singular+"/"+key.Name, args[1:]
	}
	for _, name := range [...]*string{&spec.InReplyTo, &spec.Supersedes} {
		*name = strings.TrimPrefix(*name, "comment/")
	}
	for i, name := range spec.Resolves {
		spec.Resolves[i] = strings.TrimPrefix(name, "comment/")
	}
	text, err := a.textOf(args)
	if err != nil {
		return err
	}
	spec.Body = strings.TrimSpace(text)
	if spec.Body == "" && len(spec.Resolves) > 0 {
		spec.Body = "Resolved."
	}
	if spec.Body == "" {
		return errors.New("the text is empty; add it in quotation marks after the resource")
	}
	return nil
}

// defaultType returns the type of a comment without --type: answer for an answer, note for a comment
// that resolves others or is an agent's, and instruction otherwise.
func defaultType(spec *resources.CommentSpec, who admission.Author) string {
	switch {
	case spec.InReplyTo != "":
		return resources.CommentAnswer
	case len(spec.Resolves) > 0 || who.Kind == admission.Agent:
		return resources.CommentNote
	}
	return resources.CommentInstruction
}
