package main

import (
	"context"
	"os"

	"github.com/idumb-dev/idumb/cmd/internal/demo"
)

// demo runs idumb demo: a plan, a controller and a denied agent in a temporary repository.
func (a *app) demo(ctx context.Context) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	return demo.Run(ctx, program, a.stdout)
}
