package edges

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// lines runs a script that reads paths, each ended by a NUL byte, and prints an answer for each file.
func lines(cmd *exec.Cmd, paths []string) (answers []answer, err error) {
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, stderr.String())
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var a answer
		switch err := d.Decode(&a); {
		case errors.Is(err, io.EOF):
			return answers, nil
		case err != nil:
			return nil, err
		}
		answers = append(answers, a)
	}
}
