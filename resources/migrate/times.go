package migrate

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// timeForms lists known date formats, the most precise ones first. A format without a zone
// is UTC. Seconds may have a fraction.
var timeForms = [...]string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04",
	"2006-01-02", "2006/01/02", time.RFC1123, time.RFC1123Z, "02.01.2006",
	"2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "20060102T150405Z0700",
	"2006-01-02 15:04:05 -0700 MST", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05Z0700", "2006/01/02 15:04:05",
	"Mon Jan 02 2006 15:04:05 GMT-0700", time.ANSIC, time.UnixDate,
	"Jan 2, 2006", "January 2, 2006", "2 January 2006", "2 Jan 2006",
}

// ParseTime parses a time: a date in one of several formats, or the number of
// seconds, milliseconds, microseconds or nanoseconds since 1970, also as a
// string or in an object, such as {"$date": ...}. It returns false for other
// values and for years outside of 1970 to 9999.
func ParseTime(v Value) (t time.Time, ok bool) {
	text := strings.TrimSpace(v.Text)
	switch v.Type {
	case Object:
		for _, name := range []string{"$date", "seconds", "_seconds", "iso"} {
			if inner, found := v.Lookup(name); found && inner.Type != Object {
				return ParseTime(inner)
			}
		}
	case Number:
		t, ok = epoch(text)
	case String:
		if t, ok = epoch(text); !ok {
			t, ok = dated(text)
		}
	}
	if !ok || t.Year() > 9999 || t.Unix() <= 0 {
		return time.Time{}, false
	}
	return t, true
}

// dated parses a time in one of timeForms. It ignores a zone name after the time.
func dated(text string) (time.Time, bool) {
	text, _, _ = strings.Cut(text, "[") // zone name after the offset
	text, _, _ = strings.Cut(text, " (")
	for _, form := range timeForms {
		if t, err := time.Parse(form, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// epoch parses a number since 1970. The magnitude determines the unit.
func epoch(text string) (time.Time, bool) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) || n < 1e8 {
		return time.Time{}, false
	}
	switch {
	case n < 1e11:
		return time.UnixMilli(int64(n * 1e3)), true
	case n < 1e14:
		return time.UnixMilli(int64(n)), true
	case n < 1e17:
		return time.UnixMicro(int64(n)), true
	case n < 1e19/2:
		return time.Unix(0, int64(n)), true
	}
	return time.Time{}, false
}
