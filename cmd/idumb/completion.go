package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

const completionDoc = `Print a script that makes your shell complete verbs, flags, kinds, names and fields.

  bash:        source <(idumb completion bash)
  zsh:         source <(idumb completion zsh)
  fish:        idumb completion fish | source
  powershell:  idumb completion powershell | Out-String | Invoke-Expression

Put that line where your shell reads it when it starts.`

func newCompletion(a *app) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use: "completion (bash|zsh|fish|powershell)", Short: "Print a script for completion in your shell", Long: completionDoc,
		Args: cobra.ExactArgs(1), ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			switch args[0] {
			case "bash":
				return c.Root().GenBashCompletionV2(a.stdout, true)
			case "zsh":
				return c.Root().GenZshCompletion(a.stdout)
			case "fish":
				return c.Root().GenFishCompletion(a.stdout, true)
			case "powershell":
				return c.Root().GenPowerShellCompletionWithDesc(a.stdout)
			}
			return fmt.Errorf("unsupported shell type %q; one of bash, zsh, fish and powershell", args[0])
		},
	}
}
