package main

import (
	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/mutate"
)

func newAnnotate(a *app) *cobra.Command {
	return newTagging(a, tagging{
		name: "annotate", past: "annotated", undone: "annotated", noun: "annotation", field: annotationsOf, check: mutate.CheckAnnotation,
		doc: `Set annotations, which are for people and tools, or take them off (k-).
idumb.dev/validated-at says when somebody last saw that an anchor or a mem holds.`,
		example: "  idumb annotate mem no-orm idumb.dev/validated-at=$(date -u +%FT%TZ) \\\n      --overwrite",
	})
}
