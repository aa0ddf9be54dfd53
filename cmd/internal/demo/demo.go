// Package demo plays a believable hour of work in a few seconds: a scratch
// repository, a plan, a real controller, edits by people and agents, and what
// converges because of them. Nothing in it is staged but the edits: every line
// comes from the same program that users run.
package demo

import (
	"context"
	"fmt"
	"io"
	"os"
)

// Run plays the demo and writes what happens to out. program is the path of idumb
// itself, which the demo runs for everything that it shows. It leaves nothing
// behind, also when ctx ends early.
func Run(ctx context.Context, program string, out io.Writer) error {
	dir, err := os.MkdirTemp("", "idumb-demo-")
	if err != nil {
		return fmt.Errorf("make a scratch folder: %w", err)
	}
	defer os.RemoveAll(dir)
	ctx, shown, stop := whileShown(ctx, out)
	defer stop()
	s := &stage{ctx: ctx, dir: dir, program: program, out: shown}
	defer s.stopController()
	err = s.play(script)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
