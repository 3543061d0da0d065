/* SPDX-License-Identifier: MIT */
/*
 * Which names are one charset, after the IANA's register of character sets:
 * the preferred name first, then its aliases and what is commonly said for
 * it. Only charsets that some iconv(3) knows and the library itself has not;
 * under which of the names it knows one is tried out.
 *
 * In the register but not here: aliases that mean another charset to the C
 * library (ISO-8859-11 of TIS-620, which has no A0).
 */
#include "config.h"

#include "vfs/text/iconv.h"

static const char *const lists[] = {
	"ISO-8859-2 ISO_8859-2:1987 iso-ir-101 ISO_8859-2 latin2 l2 "
		"csISOLatin2",
	"ISO-8859-3 ISO_8859-3:1988 iso-ir-109 ISO_8859-3 latin3 l3 "
		"csISOLatin3",
	"ISO-8859-4 ISO_8859-4:1988 iso-ir-110 ISO_8859-4 latin4 l4 "
		"csISOLatin4",
	"ISO-8859-5 ISO_8859-5:1988 iso-ir-144 ISO_8859-5 cyrillic "
		"csISOLatinCyrillic",
	"ISO-8859-6 ISO_8859-6:1987 iso-ir-127 ISO_8859-6 ECMA-114 ASMO-708 "
		"arabic csISOLatinArabic",
	"ISO-8859-7 ISO_8859-7:1987 iso-ir-126 ISO_8859-7 ELOT_928 ECMA-118 "
		"greek greek8 csISOLatinGreek",
	"ISO-8859-8 ISO_8859-8:1988 iso-ir-138 ISO_8859-8 hebrew "
		"csISOLatinHebrew",
	"ISO-8859-9 ISO_8859-9:1989 iso-ir-148 ISO_8859-9 latin5 l5 "
		"csISOLatin5",
	"ISO-8859-10 iso-ir-157 l6 ISO_8859-10:1992 csISOLatin6 latin6",
	"ISO-8859-13 csISO885913",
	"ISO-8859-14 iso-ir-199 ISO_8859-14:1998 ISO_8859-14 latin8 "
		"iso-celtic l8 csISO885914",
	"ISO-8859-15 ISO_8859-15 Latin-9 csISO885915",
	"ISO-8859-16 iso-ir-226 ISO_8859-16:2001 ISO_8859-16 latin10 l10 "
		"csISO885916",
	"windows-874 cswindows874",
	"windows-1250 cswindows1250 CP1250",
	"windows-1251 cswindows1251 CP1251",
	"windows-1252 cswindows1252 CP1252",
	"windows-1253 cswindows1253 CP1253",
	"windows-1254 cswindows1254 CP1254",
	"windows-1255 cswindows1255 CP1255",
	"windows-1256 cswindows1256 CP1256",
	"windows-1257 cswindows1257 CP1257",
	"windows-1258 cswindows1258 CP1258",
	"KOI8-R csKOI8R",
	"KOI8-U csKOI8U",
	"TIS-620 csTIS620",
	"VISCII csVISCII",
	"TSCII csTSCII",
	"PTCP154 csPTCP154 PT154 CP154 Cyrillic-Asian",
	"KZ-1048 STRK1048-2002 RK1048 csKZ1048",
	"macintosh mac csMacintosh",
	"hp-roman8 roman8 r8 csHPRoman8",
	"Shift_JIS MS_Kanji csShiftJIS SJIS",
	"Windows-31J csWindows31J CP932 MS932",
	"EUC-JP Extended_UNIX_Code_Packed_Format_for_Japanese "
		"csEUCPkdFmtJapanese",
	"ISO-2022-JP csISO2022JP",
	"ISO-2022-JP-2 csISO2022JP2",
	"EUC-KR csEUCKR",
	"ISO-2022-KR csISO2022KR",
	"GB2312 csGB2312 EUC-CN",
	"GB18030 csGB18030",
	"HZ-GB-2312 HZ",
	"ISO-2022-CN csISO2022CN",
	"ISO-2022-CN-EXT csISO2022CNEXT",
	"Big5 csBig5",
	"Big5-HKSCS csBig5HKSCS",
	"UTF-7 csUTF7",
	"UTF-32 csUTF32",
	"UTF-32BE csUTF32BE",
	"UTF-32LE csUTF32LE",
	"IBM037 cp037 ebcdic-cp-us ebcdic-cp-ca ebcdic-cp-wt ebcdic-cp-nl "
		"csIBM037",
	"IBM273 CP273 csIBM273",
	"IBM277 EBCDIC-CP-DK EBCDIC-CP-NO csIBM277",
	"IBM278 CP278 ebcdic-cp-fi ebcdic-cp-se csIBM278",
	"IBM280 CP280 ebcdic-cp-it csIBM280",
	"IBM284 CP284 ebcdic-cp-es csIBM284",
	"IBM285 CP285 ebcdic-cp-gb csIBM285",
	"IBM297 cp297 ebcdic-cp-fr csIBM297",
	"IBM420 cp420 ebcdic-cp-ar1 csIBM420",
	"IBM424 cp424 ebcdic-cp-he csIBM424",
	"IBM437 cp437 437 csPC8CodePage437",
	"IBM500 CP500 ebcdic-cp-be ebcdic-cp-ch csIBM500",
	"IBM775 cp775 csPC775Baltic",
	"IBM850 cp850 850 csPC850Multilingual",
	"IBM851 cp851 851 csIBM851",
	"IBM852 cp852 852 csPCp852",
	"IBM855 cp855 855 csIBM855",
	"IBM857 cp857 857 csIBM857",
	"IBM00858 CCSID00858 CP00858 PC-Multilingual-850+euro csIBM00858 "
		"CP858",
	"IBM860 cp860 860 csIBM860",
	"IBM861 cp861 861 cp-is csIBM861",
	"IBM862 cp862 862 csPC862LatinHebrew",
	"IBM863 cp863 863 csIBM863",
	"IBM864 cp864 csIBM864",
	"IBM865 cp865 865 csIBM865",
	"IBM866 cp866 866 csIBM866",
	"IBM868 CP868 cp-ar csIBM868",
	"IBM869 cp869 869 cp-gr csIBM869",
	"IBM870 CP870 ebcdic-cp-roece ebcdic-cp-yu csIBM870",
	"IBM871 CP871 ebcdic-cp-is csIBM871",
	"IBM880 cp880 EBCDIC-Cyrillic csIBM880",
	"IBM905 CP905 ebcdic-cp-tr csIBM905",
	"IBM918 CP918 ebcdic-cp-ar2 csIBM918",
	"IBM1026 CP1026 csIBM1026",
	"IBM1047 IBM-1047 csIBM1047",
};

const char *mvfs__iana_names(const char *folded)
{
	char name[MVFS__CHARSET_NAME_MAX + 1];
	char other[MVFS__CHARSET_NAME_MAX + 1];
	const char *p;
	size_t i, n;

	for (i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		for (p = lists[i]; *p; p += n + (p[n] == ' ')) {
			n = strcspn(p, " ");
			assert(n > 0 && n <= MVFS__CHARSET_NAME_MAX);
			memcpy(name, p, n);
			name[n] = 0;
			if (mvfs__charset_fold(name, other) &&
			    strcmp(other, folded) == 0)
				return lists[i];
		}
	return NULL;
}
