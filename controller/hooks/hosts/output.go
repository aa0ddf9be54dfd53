package hosts

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/idumb-dev/idumb/resources/outcomes"
)

// failedOutput is what a tool said that, by its own answer, failed; "" if that does not say so: an answer
// of an MCP server that is marked as an error, one of our own tool that runs commands, or a text that
// begins with how a command ended.
func failedOutput(e Event, answer json.RawMessage) string {
	if !e.Runs && !bytes.Contains(answer, []byte("isError")) && !bytes.HasPrefix(answer, []byte(`"`+exitLine)) {
		return "" // most answers are not worth reading twice
	}
	text, failed := said(answer)
	if e.Runs {
		ran, _ := ReadObject([]byte(text))
		if code := string(ran["exitCode"]); code != "" && code != "0" {
			return ran.Text("output")
		}
	}
	if code, output, told := strings.Cut(text, "\n"); told && strings.HasPrefix(code, exitLine) && code != exitLine+"0" {
		return output
	}
	if failed {
		return text
	}
	return ""
}

// ending is the part of what a command printed in which programs say how they ended.
func ending(printed string) string {
	return strings.ToValidUTF8(printed[max(0, len(printed)-outcomes.MaxRead):], "")
}

// exitLine begins what some tools of Codex say.
const exitLine = "Exit code: "

// said is the text of a tool's answer, which is a text itself or the result of an MCP server's tool, and
// whether it is marked as an error.
func said(answer json.RawMessage) (text string, failed bool) {
	if len(answer) > 0 && answer[0] == '"' {
		return AsText(answer), false
	}
	result, err := ReadObject(answer)
	if err != nil {
		return "", false
	}
	var parts []string
	for _, item := range Items(result["content"]) {
		if part, err := ReadObject(item); err == nil && part.Text("text") != "" {
			parts = append(parts, part.Text("text"))
		}
	}
	return strings.Join(parts, "\n"), result.Flag("isError")
}
