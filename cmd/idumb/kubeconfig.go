package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/kube"
)

func newKubeconfig(a *app) *cobra.Command {
	return newCommand("controller kubeconfig", cobra.NoArgs, func(c *cobra.Command, _ []string) error { return a.kubeconfig(c.Context()) })
}

// kubeconfig has the controller open its Kubernetes API, and prints how it is reached.
func (a *app) kubeconfig(ctx context.Context) error {
	root, err := a.root()
	if err == nil {
		err = userOnly(root, "kubeconfig")
	}
	if err != nil {
		return err
	}
	client, err := serve.Dial(ctx, root)
	if errors.Is(err, serve.ErrNoController) {
		return fmt.Errorf("%w; start one with idumb controller start", err)
	}
	if err != nil {
		return err
	}
	defer client.Close()
	var config kube.Config
	if err := client.Ask(ctx, http.MethodPost, kube.ConfigPath, &config); err != nil {
		return err
	}
	text, err := json.MarshalIndent(config, "", "  ")
	if err == nil {
		a.outf("%s\n", text)
	}
	return err
}
