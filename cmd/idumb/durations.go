package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// duration is the value of a flag that takes a time span, which may have days: 7d, 1d12h, 90m.
type duration time.Duration

func (d *duration) String() string {
	if *d == 0 {
		return ""
	}
	if span := time.Duration(*d); span%(24*time.Hour) != 0 {
		return span.String()
	}
	return strconv.Itoa(int(time.Duration(*d)/(24*time.Hour))) + "d"
}

func (d *duration) Type() string { return "duration" }

func (d *duration) Set(text string) error {
	span, err := days(text)
	*d = duration(span)
	return err
}

// days reads a time span. It may begin with days, which time.ParseDuration does not know.
func days(text string) (span time.Duration, err error) {
	rest := text
	if count, after, inDays := strings.Cut(text, "d"); inDays {
		n, err := strconv.Atoi(count)
		if err != nil {
			return 0, fmt.Errorf("invalid duration %q; write 7d, 24h or 90m", text)
		}
		span, rest = time.Duration(n)*24*time.Hour, after
	}
	if rest != "" || rest == text {
		more, err := time.ParseDuration(rest)
		if err != nil {
			return 0, fmt.Errorf("invalid duration %q; write 7d, 24h or 90m", text)
		}
		span += more
	}
	if span < 0 {
		return 0, fmt.Errorf("%q is negative", text)
	}
	return span, nil
}
