// SPDX-License-Identifier: MIT
/* Stands for the command until its first source is there. */
int main(void)
{
	return 0;
}
