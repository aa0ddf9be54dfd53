package main

import (
	"context"
	"os"

	"github.com/idumb-dev/idumb/cmd/internal/demo"
)

func (a *app) demo(ctx context.Context) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	return demo.Run(ctx, program, a.stdout)
}
