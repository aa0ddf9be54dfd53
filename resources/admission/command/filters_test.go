package command

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What a pipe to tr prints is what the program prints, because a shell may read it.
func TestTranslatedLikeTr(t *testing.T) {
	const text = "aarrm  -rff 'x'  yyzz\n"
	for line, want := range map[string]string{
		"-s rf":        "aarm  -rf 'x'  yyzz\n",
		"-s a-z":       "arm  -rf 'x'  yz\n",
		"aa xr":        "rrrrm  -rff 'x'  yyzz\n", // of a repeated character the last counts
		"a-c x":        "xxrrm  -rff 'x'  yyzz\n",
		"-d ry":        "aam  -ff 'x'  zz\n",
		"-ds r f":      "aam  -f 'x'  yyzz\n",
		"-s rf mx":     "aam  -mx 'x'  yyzz\n", // translated, then squeezed
		"[:lower:] A":  "AAAAA  -AAA 'A'  AAAA\n",
		"--delete x":   "aarrm  -rff ''  yyzz\n",
		"-c a-z _":     unknown,
		"a":            unknown,
		"-s -d a-z xy": "  - ''  \n",
	} {
		var args []field
		for _, word := range strings.Fields(line) {
			args = append(args, field{text: word})
		}
		assert.Equal(t, want, translated(text, parseOptions(args, getopt, "")), line)
		program, err := exec.LookPath("tr")
		if err != nil || want == unknown {
			continue
		}
		c := exec.Command(program, strings.Fields(line)...)
		c.Stdin = strings.NewReader(text)
		out, err := c.Output()
		assert.NoError(t, err, line)
		assert.Equal(t, want, string(out), "the program, %s", line)
	}
}
