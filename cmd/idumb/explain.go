package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/naming"
	"github.com/idumb-dev/idumb/resources"
)

const explainDoc = `Say what a kind's fields are, from the same table by which files are judged; and
what is kept besides: queue, exports, checkpoints, events.`

func newExplain(a *app) *cobra.Command {
	var recursive bool
	c := &cobra.Command{
		Use: "explain KIND[.FIELD...] [flags]", Short: "Say what a kind's fields are", Long: explainDoc, Args: cobra.MaximumNArgs(1),
		Example: "  idumb explain task\n  idumb explain task.spec.temporalGate\n  idumb explain role --recursive",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("you must specify the type of resource to explain; idumb api-resources lists them")
			}
			word, _, _ := strings.Cut(args[0], ".")
			if text, found := recordText(args[0]); found {
				a.outf("%s", text)
				return nil
			}
			if _, err := naming.Kind(word); err != nil {
				return err
			}
			text, err := resources.Explain(args[0], recursive)
			if err != nil {
				return fieldHint(args[0], err)
			}
			a.outf("%s", text)
			return nil
		},
		ValidArgsFunction: completeFields,
	}
	c.Flags().BoolVar(&recursive, "recursive", false, "fields of fields as well, without their sentences")
	return c
}

// fieldHint adds the field that may have been meant.
func fieldHint(path string, err error) error {
	word, rest, _ := strings.Cut(path, ".")
	kind, _ := resources.LookupKind(word)
	field := kind.Fields()
	for name := range strings.SplitSeq(rest, ".") {
		child, ok := field.Field(name)
		if ok {
			field = child
			continue
		}
		if near := resources.Nearest(name, field.FieldNames()); near != "" {
			return fmt.Errorf("%w\nDid you mean %q?", err, near)
		}
		break
	}
	return err
}
