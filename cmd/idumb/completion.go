package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// plainBash stands in for the one function of the package bash-completion that
// cobra's script cannot do without: a fresh machine has bash and not the package.
const plainBash = `
# Where the package bash-completion is not installed: the words up to the cursor,
# which are not broken at "=" and ":".
if ! declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
    __idumb_init_completion()
    {
        COMPREPLY=()
        local line=${COMP_LINE:0:COMP_POINT}
        IFS=$' \t\n' read -ra words <<<"$line"
        while ((${#words[@]} > 1)) && [[ ${words[0]} != "${COMP_WORDS[0]}" ]]; do
            words=("${words[@]:1}")
        done
        if [[ $line == *[[:space:]] ]]; then
            words+=("")
        fi
        cword=$((${#words[@]} - 1))
        cur=${words[cword]}
        prev=${words[cword > 0 ? cword - 1 : 0]}
    }
fi
`

func newCompletion(a *app) *cobra.Command {
	c := newCommand("completion", cobra.ExactArgs(1), func(c *cobra.Command, args []string) error {
		switch args[0] {
		case "bash":
			err := c.Root().GenBashCompletionV2(a.stdout, true)
			a.outf("%s", plainBash)
			return err
		case "zsh":
			return c.Root().GenZshCompletion(a.stdout)
		case "fish":
			return c.Root().GenFishCompletion(a.stdout, true)
		case "powershell":
			return c.Root().GenPowerShellCompletionWithDesc(a.stdout)
		}
		return fmt.Errorf("unsupported shell type %q; use bash, zsh, fish or powershell", args[0])
	})
	c.ValidArgs = []string{"bash", "zsh", "fish", "powershell"}
	return c
}
